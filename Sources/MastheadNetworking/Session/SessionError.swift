/// Why a transition of a ``SessionManager`` could not be made, or was made and not kept.
///
/// ```swift
/// do {
///     try await session.login(reader)
/// } catch .store(let error) {
///     report(error)               // logged in, until the app ends
/// } catch {
///     report(error)
/// }
/// ```
@nonexhaustive
public enum SessionError: Error, Sendable, Hashable {
    /// There is a session with another token; log out first. Nothing has changed.
    case alreadyLoggedIn

    /// There is no session. Nothing has changed.
    case notLoggedIn

    /// The user has no token and none was given with them, or it is empty. Nothing has changed.
    case missingToken

    /// The session is in its new state, and the store does not know it; or it could not be read at the start.
    case store(TokenStoreError)

    /// The task was cancelled while the store had not answered. A login, an update, a logout or an expiry has been made all
    /// the same, and the store goes on keeping it; a start has not, and can be made again.
    case cancelled
}

extension SessionError: CustomStringConvertible {
    /// What happened, in one line for a log.
    public var description: String {
        switch self {
        case .alreadyLoggedIn: "there is a session already"
        case .notLoggedIn: "there is no session"
        case .missingToken: "there is no token to begin a session with"
        case .store(let error): "\(error)"
        case .cancelled: "nobody waits any more for the store of the session"
        }
    }
}
