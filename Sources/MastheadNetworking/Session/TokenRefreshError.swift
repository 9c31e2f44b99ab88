/// Why there are no new credentials.
///
/// ```swift
/// throw refusal.status == 403 ? .refused : .failed(.requestError(refusal))
/// ```
public enum TokenRefreshError: Error, Sendable {
    /// The server will not renew them: the session expires, and the user must log in again.
    case refused

    /// The server had trouble, or could not be asked: what becomes of the session then, ``FailedRenewal`` says.
    ///
    /// Whether it was asked is told by the error: ``RepositoryError/noNetworkConnection``, ``RepositoryError/dns(host:)``,
    /// ``RepositoryError/refused(host:)``, ``RepositoryError/cancelled`` and the like leave the session in any case.
    case failed(RepositoryError)
}
