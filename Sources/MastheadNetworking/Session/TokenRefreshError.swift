/// Why there are no new credentials; the two are all the difference to a user.
///
/// ```swift
/// throw refusal.status == 403 ? .refused : .failed(.requestError(refusal))
/// ```
public enum TokenRefreshError: Error, Sendable {
    /// The server will not renew them: the session expires, and the user must log in again.
    case refused

    /// The server could not be asked, or had trouble: the session goes on, and the calls that waited fail with this.
    case failed(RepositoryError)
}
