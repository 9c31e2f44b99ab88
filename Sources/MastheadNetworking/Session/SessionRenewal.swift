/// What became of the wish for a new token; see ``RepositorySession``.
///
/// ```swift
/// case .renewed(let grant): send(request, with: grant.token)
/// ```
public enum SessionRenewal: Sendable {
    /// This is the token to use now, a new one or one that was new already.
    case renewed(SessionGrant)

    /// There is none to be had: the session has expired.
    case refused

    /// The session was over before, or another has begun.
    case ended

    /// There may be one later: the session goes on, and this call does not.
    case failed(RepositoryError)
}
