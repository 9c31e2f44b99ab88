/// What becomes of a redirect; see ``NetworkingConfiguration/onRedirect``.
///
/// ```swift
/// $0.onRedirect = { redirect in
///     guard redirect.request.url.host?.hasSuffix(".example.com") == true else {
///         return .refuse(.customError(ShopError.strangeRedirect))
///     }
///     var request = redirect.request
///     request.headers["X-Redirected"] = "\(redirect.status)"
///     return .send(request)
/// }
/// ```
@nonexhaustive
public enum RedirectDecision: Sendable {
    /// Send ``Redirect/request``.
    case follow

    /// Send this request instead, which is checked like every other one.
    ///
    /// A secret header field stays only if ``Redirect/request`` has one of its name, and if the scheme, host and port are
    /// that request's: what was dropped on the way does not come back by being copied from somewhere.
    case send(HTTPRequest)

    /// Send this request instead, with the secrets that it carries.
    ///
    /// For an app that knows the other server to be its own, such as one that signs for it. Whatever is in the secret
    /// header fields goes there, and to wherever that server redirects within its own scheme, host and port.
    case sendWithSecrets(HTTPRequest)

    /// Follow it no further: the redirect is the answer, which fails like any other that is no success
    /// (``RepositoryError/requestError(_:)``).
    case stop

    /// End the call with this error.
    case refuse(RepositoryError)
}
