/// Asks a server whose session it is: usually a repository with that session.
///
/// ```swift
/// final class ReaderRepository: AbstractRepository, CurrentUserFetcher, @unchecked Sendable {
///     func currentUser() async -> Result<Reader, RepositoryError> { await perform(.get("me")) }
/// }
/// ```
public protocol CurrentUserFetcher<User>: Sendable {
    /// The app's user.
    associatedtype User: AuthenticableUser

    /// The user whose token the call carries.
    ///
    /// - Returns: The user. A failure with status 401 ends the session that ``SessionManager/bootstrap(_:)`` was asked to
    ///   begin; any other leaves it without its user.
    func currentUser() async -> Result<User, RepositoryError>
}
