/// What an answer of the server's does to what is stored (RFC 9111, sections 3 and 4.3.3 to 4.3.5).
package enum CacheOutcome: Sendable, Hashable {
    /// Hand the answer on and do not store it; take these candidates out, which it has overtaken.
    case pass(removing: [Int])

    /// Hand the answer on, and store it with its body in place of these candidates.
    case store(StoredAnswer, replacing: [Int])

    /// The stored body still holds.
    ///
    /// Serve that candidate's body with the head of `answer`; see ``StoredAnswer/servedHeaders(at:isValidated:)``. Put the
    /// new heads in the place of the candidates', and take those out that may not be kept any longer.
    case freshen(candidate: Int, answer: StoredAnswer, updates: [Int: StoredAnswer], removing: [Int])

    /// Hand the answer to HEAD on. Put these heads in the place of the candidates', and take those out that may not be kept
    /// any longer.
    case update([Int: StoredAnswer], removing: [Int])

    /// Serve that candidate instead: the server is in trouble, and it may stand in for it.
    case fallBack(candidate: Int)

    /// The server says of something else than what was asked for that it holds: ask again, with ``CacheExchange/withoutValidators``.
    case fetchAgain
}
