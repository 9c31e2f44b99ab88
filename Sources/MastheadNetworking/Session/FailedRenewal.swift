/// What becomes of a session whose renewal failed without the server's word on it: it hung, it was cut off, the server answered
/// 500.
///
/// ```swift
/// let session = SessionManager<Reader>(store: store, refresher: refresher, failedRenewal: .endsSession)
/// ```
///
/// What the server refuses (``TokenRefreshError/refused``) ends the session in both cases. Either way the failure reaches all
/// calls that wait for the renewal, each once and with the same error, and nothing is sent again.
@nonexhaustive
public enum FailedRenewal: Sendable, Hashable {
    /// The session goes on: the calls that waited end in the renewal's error, and the next one asks again, after a second.
    case keepsSession

    /// The session expires, once: the calls that waited end in ``RepositoryError/unauthenticatedSession(_:)``, the renewal is
    /// cancelled, and the credentials are removed.
    ///
    /// A renewal that nobody waits for, since the token still holds, ends nothing: the next one is asked for while it does.
    case endsSession
}
