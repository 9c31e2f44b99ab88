/// The `Cache-Control` of a request or an answer (RFC 9111, section 5.2), as far as a private cache goes by it.
///
/// `s-maxage`, `proxy-revalidate`, `no-transform` and whatever is unknown mean nothing here.
///
/// ```swift
/// let control = CacheControl(response: response.headers)
/// ```
///
/// Of a directive that stands there more than once, the strictest counts (section 4.2.1). A number that is none is taken
/// in the strictest way as well: `max-age=soon` is stale at once. One that is too big is ``maximumSeconds``.
package struct CacheControl: Sendable, Hashable {
    /// What greater numbers are cut to (section 1.2.2): 2³¹, some 68 years.
    package static let maximumSeconds = 1 << 31

    /// Nothing of it may be kept.
    package var noStore = false

    /// No answer without asking the server whether it still holds; in a request, `Pragma: no-cache` says so too.
    package var noCache = false

    /// The fields, in lower case, that are not repeated without asking: `no-cache="Set-Cookie"`.
    package var noCacheFields: Set<String> = []

    /// Seconds: how old an answer is fresh, or how old one the request takes.
    package var maxAge: Int?

    /// Seconds that an answer must stay fresh, for a request to take it.
    package var minFresh: Int?

    /// Seconds that an answer may have been stale, for a request to take it; ``maximumSeconds`` if any number will do.
    package var maxStale: Int?

    /// The request is for what is stored, or nothing.
    package var onlyIfCached = false

    /// Nothing stale without asking, not even where the server cannot be asked.
    package var mustRevalidate = false

    /// Whoever knows the status may keep it, `no-store` or not (section 5.2.2.3).
    package var mustUnderstand = false

    /// May be kept by anyone.
    package var isPublic = false

    /// May be kept by the user's own cache, which this is.
    package var isPrivate = false

    /// Does not change while it is fresh (RFC 8246).
    package var isImmutable = false

    /// Seconds after which a stale answer is no longer served while a new one is fetched (RFC 5861, section 3).
    package var staleWhileRevalidate: Int?

    /// Seconds after which a stale answer is no longer served in place of an error (RFC 5861, section 4).
    package var staleIfError: Int?

    /// Reads an answer's fields.
    package init(response headers: HTTPHeaders) {
        self.init(lines: headers.values(of: "Cache-Control"))
    }

    /// Reads a request's fields; `Pragma: no-cache` counts if there is no `Cache-Control` (section 5.4).
    package init(request headers: HTTPHeaders) {
        let lines = headers.values(of: "Cache-Control")
        self.init(lines: lines)
        // Nothing else ever had a meaning in Pragma.
        let other = lines.isEmpty ? CacheControl(lines: headers.values(of: "Pragma")) : self
        // In a request it has no argument.
        noCache = other.noCache || !other.noCacheFields.isEmpty
        noCacheFields = []
    }
}
