/// Gets new credentials for those whose access token ends or was refused.
///
/// ```swift
/// struct ShopRefresher: TokenRefresher {
///     func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
///         switch await logins.renew(credentials.refreshToken) {
///         case .success(let answer): return SessionCredentials(accessToken: Secret(answer.token))
///         case .failure(.requestError(let refusal)) where refusal.status == 403: throw .refused
///         case .failure(let error): throw .failed(error)
///         }
///     }
/// }
/// ```
///
/// A ``SessionManager`` asks for one thing at a time and never twice for the same credentials that were replaced. What it
/// asks with must not carry the session itself: a repository without one. It is cancelled when it takes twice the manager's
/// `refreshTimeout`, when the app replaces the credentials, and when the session ends.
public protocol TokenRefresher: Sendable {
    /// Gets new credentials.
    ///
    /// - Parameter credentials: Those to replace.
    /// - Returns: The new ones, whole: also the refresh token, if the old one is still the one to use.
    /// - Throws: ``TokenRefreshError/refused`` if the user must log in again; ``TokenRefreshError/failed(_:)`` with the error
    ///   of the call if there was another trouble.
    func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials
}
