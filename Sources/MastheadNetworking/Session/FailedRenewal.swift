/// What becomes of a session whose token cannot be renewed.
///
/// ```swift
/// let session = SessionManager<Reader>(store: store, refresher: refresher, failedRenewal: .keepsSession)
/// ```
///
/// What the server refuses (``TokenRefreshError/refused``) ends the session in both cases. One that the server could not be
/// asked for (no network, no address, no connection) or that was cancelled ends it in neither: the next call asks again, after
/// a second. Either way the failure reaches all calls that wait for the renewal, each once and with the same error, and nothing
/// is sent again.
@nonexhaustive
public enum FailedRenewal: Sendable, Hashable {
    /// The session expires, once, when the server was asked and gave no credentials within the wait: it answered 500, or
    /// nonsense, or not at all. The calls that waited end in ``RepositoryError/unauthenticatedSession(_:)``, the renewal is
    /// cancelled, and the credentials are removed.
    ///
    /// A renewal that nobody waits for, since the token still holds, ends nothing: the next one is asked for while it does.
    case endsSession

    /// The session goes on: the calls that waited end in the renewal's error, and the next one asks again, after a second.
    case keepsSession
}
