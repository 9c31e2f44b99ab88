/// An app's own user, for whom there is a session.
///
/// ```swift
/// struct Reader: AuthenticableUser, Decodable {
///     let name: String
///     let token: String?
///     var sessionToken: Secret? { token.map { Secret($0) } }
/// }
/// ```
///
/// A ``SessionManager`` holds the user as long as the session lasts, and shows it to nobody but the app: not in a dump of
/// its own, not in a log.
public protocol AuthenticableUser: Sendable {
    /// The token that came with the user, for a server that gives both in one answer; `nil` by default.
    ///
    /// Only ``SessionManager/login(_:credentials:)`` reads it. Later the token may be another one, which
    /// ``SessionManager/sessionToken`` tells.
    var sessionToken: Secret? { get }
}

extension AuthenticableUser {
    /// None: the token comes by another way.
    public var sessionToken: Secret? { nil }
}
