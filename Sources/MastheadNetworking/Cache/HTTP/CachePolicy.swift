/// What an app wants of the cache for a call.
///
/// ```swift
/// let policy: CachePolicy = isOffline ? .cacheOnly : .networkFirst(fallback: .seconds(7 * 86400))
/// ```
///
/// Policies are for GET. HEAD is asked, and tells the cache what it learns, except with ``cacheOnly``. A request with a condition
/// or a range of its own (`If-None-Match`, `Range`) goes to the server as it is, and its answer comes back as it is. Every
/// other method goes to the server, whatever the policy; what it changes is forgotten.
///
/// | policy | fresh answer | stale answer | no answer | the server cannot be asked, or is in trouble |
/// |---|---|---|---|---|
/// | ``standard`` | serve | validate | ask | what is stored, as far as `stale-if-error` allows |
/// | ``staleWhileRevalidate`` | serve | serve, and ask behind it | ask | as ``standard`` |
/// | ``cacheFirst(maxAge:)`` | serve, up to that age | serve, up to that age | ask | as ``standard`` |
/// | ``networkFirst(fallback:)`` | validate | validate | ask | what is stored, up to that age |
/// | ``networkOnly`` | validate | validate | ask | error |
/// | ``cacheOnly`` | serve | serve | error | (is never asked) |
///
/// "In trouble" are 500, 502, 503 and 504. A server whose certificate is wrong is neither away nor in trouble.
///
/// What the server says goes before what the app wants. With `no-store` nothing is stored, so there is nothing to serve.
/// With `must-revalidate` nothing stale is served, and with `no-cache` nothing is served without asking, not even offline
/// (RFC 9111, section 4.2.4): content to be read offline must come without them. An error or a passing
/// redirect that was stored, such as a 404 with a lifetime, is served while it is fresh and no longer.
///
/// A request can be stricter than the policy: `Cache-Control: no-cache`, `max-age` and `min-fresh` count for every policy but
/// ``cacheOnly``, which has nobody else to turn to. `only-if-cached` makes an error of everything that would be asked.
@nonexhaustive
public enum CachePolicy: Sendable, Hashable {
    /// What the server says (RFC 9111): serve what is fresh, validate what is stale.
    case standard

    /// Always asks; what is stored only saves sending it again if it still holds. The answer is stored.
    case networkOnly

    /// Never asks: what is stored, however old, or an error.
    case cacheOnly

    /// What is stored if it is not older than `maxAge`, or of any age without one; otherwise asks.
    case cacheFirst(maxAge: Duration? = nil)

    /// Asks; if that fails for want of a network or for the server's trouble, what is stored if it is not older than
    /// `fallback`, or of any age without one.
    case networkFirst(fallback: Duration? = nil)

    /// What is stored at once, however old, and asks behind it if that is not fresh; asks if nothing is stored.
    case staleWhileRevalidate
}
