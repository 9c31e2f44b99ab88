public import FoundationEssentials

/// A redirect that may be followed: what ``NetworkingConfiguration/onRedirect`` decides about.
///
/// ```swift
/// $0.onRedirect = { redirect in
///     redirect.request.url.path.hasPrefix("/login") ? .stop : .follow
/// }
/// ```
public struct Redirect: Sendable {
    /// The URL that answered with it.
    public let source: URL

    /// The answer's status: 301, 302, 303, 307 or 308.
    public let status: Int

    /// What would be sent: the method, the body and the header fields that RFC 9110 (section 15.4) leaves, the target as
    /// URL, and no secret that the target may not have.
    public let request: HTTPRequest

    /// Whether the target has another scheme, host or port than the source; then the secret header fields are gone.
    public let crossesOrigin: Bool
}
