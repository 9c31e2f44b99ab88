/// Why an answer is not stored (RFC 9111, section 3).
package enum StoringRefusal: Error, Sendable, Hashable {
    /// It answers no GET, or the request makes a condition of its own or asks for a range.
    case request

    /// The request or the answer says `no-store`.
    case noStore

    /// It is a part of something (206): parts are not kept.
    case partialContent

    /// Its status is not final, or none that is known to be worth keeping.
    case status

    /// It varies by everything (`Vary: *`), or by more than can be kept.
    case varies

    /// It is an error, and nothing says for how long.
    case errorWithoutLifetime

    /// Nothing says that it may be kept: no lifetime, no `public` or `private`, and a status that needs one of them.
    case notAllowed
}
