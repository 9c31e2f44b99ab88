/// A request as the cache sees it.
///
/// The headers are best taken before the session's token is put in: whose answers these are is the matter of the store,
/// which has a part for each user, and a `Vary: Authorization` would otherwise lose everything with each new token.
package struct CacheRequest: Sendable, Hashable {
    /// The method.
    package let method: HTTPMethod

    /// The header fields.
    package let headers: HTTPHeaders

    /// What its answers are stored under; `nil` if the URL is none that has any.
    package let key: CacheKey?

    /// Its own `Cache-Control`.
    package let control: CacheControl

    /// The URL in its parts, to resolve what an answer names.
    let reference: URLReference

    /// Makes the cache's view of a request; the URL is absolute.
    package init(method: HTTPMethod, url: String, headers: HTTPHeaders) {
        self.method = method
        self.headers = headers
        reference = URLReference(url)
        key = CacheKey(reference)
        control = CacheControl(request: headers)
    }

    /// Whether an answer may come from the cache, or go into it.
    ///
    /// It may not for a method other than GET, and not if the caller makes a condition or asks for a range: whoever does
    /// that keeps something of their own, and gets the server's answer to it, a 304 or 206 too.
    package var isCacheable: Bool { method == .get && key != nil && !hasOwnCondition }

    /// Whether the caller makes a condition (RFC 9110, section 13.1), or asks for a range (section 14.2).
    package var hasOwnCondition: Bool { Self.conditions.contains { headers[$0] != nil } }

    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]
}
