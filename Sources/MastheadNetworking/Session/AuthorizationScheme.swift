/// In which field a session's token goes, and in which form.
///
/// ```swift
/// $0.authorization = .bearer                       // Authorization: Bearer TOKEN
/// $0.authorization = .bareToken                    // Authorization: TOKEN
/// $0.authorization = .clientKey()                  // Authorization: method=clientkey,token=TOKEN
/// $0.authorization = .custom(field: "X-Reader") { "v1 \($0.value)" }
/// ```
///
/// The field it names is a secret wherever ``NetworkingConfiguration/secretHeaders`` are: it stays at its origin and
/// reaches no log.
public struct AuthorizationScheme: Sendable {
    enum Form: Sendable {
        case bearer
        case bareToken
        case clientKey(method: String)
        case custom(field: String, value: @Sendable (Secret) -> String)
    }

    let form: Form

    /// `Authorization: Bearer TOKEN` (RFC 6750, section 2.1).
    public static let bearer = AuthorizationScheme(form: .bearer)

    /// `Authorization: TOKEN`.
    public static let bareToken = AuthorizationScheme(form: .bareToken)

    /// `Authorization: method=METHOD,token=TOKEN`, as a publisher's servers have it.
    ///
    /// - Parameter method: What the token is.
    /// - Returns: The scheme.
    public static func clientKey(method: String = "clientkey") -> AuthorizationScheme {
        AuthorizationScheme(form: .clientKey(method: method))
    }

    /// A form of an app's own.
    ///
    /// - Parameters:
    ///   - field: The header field's name.
    ///   - value: Makes the field's value of the token; called for each request, on any thread.
    /// - Returns: The scheme.
    public static func custom(
        field: String = "Authorization",
        _ value: @escaping @Sendable (Secret) -> String
    ) -> AuthorizationScheme {
        AuthorizationScheme(form: .custom(field: field, value: value))
    }

    /// The field's name.
    public var field: String {
        if case .custom(let field, _) = form { field } else { "Authorization" }
    }

    /// The field's value for a token.
    func value(for token: Secret) -> String {
        switch form {
        case .bearer: "Bearer \(token.value)"
        case .bareToken: token.value
        case .clientKey(let method): "method=\(method),token=\(token.value)"
        case .custom(_, let value): value(token)
        }
    }
}

extension AuthorizationScheme: CustomStringConvertible, CustomReflectable {
    /// The field and the form, without a token.
    public var description: String {
        switch form {
        case .bearer: "Authorization: Bearer"
        case .bareToken: "Authorization"
        case .clientKey(let method): "Authorization: method=\(method)"
        case .custom(let field, _): "\(field): custom"
        }
    }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
