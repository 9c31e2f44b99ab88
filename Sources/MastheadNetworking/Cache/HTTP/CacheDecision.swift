/// What to do about a request (RFC 9111, section 4).
package enum CacheDecision: Sendable, Hashable {
    /// Serve that candidate: it is fresh, or as stale as whoever asks allows.
    case fresh(candidate: Int)

    /// Serve that candidate, and ask with those fields added meanwhile.
    case staleWhileRevalidate(candidate: Int, adding: HTTPHeaders)

    /// Ask with those fields added whether that candidate still holds (section 4.3.1).
    case validate(candidate: Int, adding: HTTPHeaders)

    /// Ask.
    case fetch

    /// The request is none of the cache's business: send it as it is, hand its answer on as it is.
    ///
    /// Its answer may still invalidate something; see ``CacheRequest/invalidatedKeys(by:)``.
    case bypass

    /// Serve nothing and ask nobody: 504 (section 5.2.1.7).
    case unsatisfiable
}
