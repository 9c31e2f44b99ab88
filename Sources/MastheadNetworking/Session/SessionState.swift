/// What a session is like at a moment; see ``SessionManager/state`` and ``SessionManager/changes``.
///
/// ```swift
/// switch session.state {
/// case .loggedIn(let reader): show(reader)
/// case .expired: showLogin(because: .expired)
/// case .loggedOut: showLogin()
/// case .unknown: showSplash()
/// }
/// ```
public enum SessionState<User: AuthenticableUser>: Sendable {
    /// Nobody has looked into the store yet: ``SessionManager/bootstrap(_:)`` does.
    case unknown

    /// There is no session.
    case loggedOut

    /// There was one, and the server no longer takes its token.
    case expired

    /// There is a session; its user is `nil` until the server has been asked, such as while it cannot be reached.
    case loggedIn(User?)
}

extension SessionState: CustomStringConvertible, CustomReflectable {
    /// The case, and nothing about the user.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .loggedOut: "logged out"
        case .expired: "expired"
        case .loggedIn(nil): "logged in, the user is not known"
        case .loggedIn: "logged in"
        }
    }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
