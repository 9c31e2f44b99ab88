/// Whether and when a request that failed is sent again: safe by construction, off unless a configuration says so.
///
/// ```swift
/// $0.retry = .standard
/// $0.totalTimeout = .seconds(30)      // one deadline over all attempts and the waits between them
/// ```
///
/// A request is sent again only if sending it twice does no harm: its method is idempotent (RFC 9110, section 9.2.2:
/// GET, HEAD, OPTIONS, TRACE, PUT, DELETE), it carries an idempotency key, or nothing of it was sent.
///
/// | what happened | sent again |
/// |---|---|
/// | no network, no address, refused, no secure connection, no connection in time | always: nothing was sent |
/// | connection lost, silence for too long, a body that is cut or damaged | if it is idempotent or has a key |
/// | one of ``statuses`` | if it is idempotent or has a key |
/// | anything else: cancelled, the deadline, a body too big, a pin, what is not HTTP | never |
///
/// Before the second attempt it waits between nothing and ``baseDelay``, chosen at random, and before each later one up
/// to twice as long as before, ``maximumDelay`` at most: clients that failed together do not come back together. A
/// `Retry-After` of the answer, in either form, stands instead of that wait. A wait of more than five minutes, or one
/// that would not end before the call's deadline, is not begun: the call ends at once with what happened.
///
/// Each request that a redirect leads to is judged by itself, so a POST that was answered is not sent again because the
/// page it led to was not there. All of them share the retries. The interceptor and
/// ``AbstractRepository/prepare(_:)`` see the request once, so that every attempt carries the same key.
public struct RetryPolicy: Sendable, Hashable {
    /// Sends nothing again.
    ///
    /// A connection that the server had closed before anything went over it is replaced by a fresh one all the same.
    public static let never = RetryPolicy(maximumAttempts: 1)

    /// Three attempts, half a second as the first wait at most, 30 seconds as the longest.
    public static let standard = RetryPolicy()

    /// The statuses that say "not now": 408, 425, 429, 502, 503 and 504.
    ///
    /// 500 is not among them: it says that the server is broken, not that it is busy, and may come after half of the
    /// work was done. An app that knows better adds it.
    public static let standardStatuses: Set<Int> = [408, 425, 429, 502, 503, 504]

    /// How often a request is sent in all, its redirects aside; 1 sends nothing again.
    public var maximumAttempts: Int

    /// The longest that the first wait can be.
    public var baseDelay: Duration

    /// The longest that a wait of our own choosing can be.
    public var maximumDelay: Duration

    /// The statuses that are asked again.
    public var statuses: Set<Int>

    /// The header field whose presence says that the server takes the request only once, however often it comes.
    ///
    /// The field is the app's to set, to a value that is new for each thing to be done.
    public var idempotencyKeyHeader: String

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How often a request is sent in all.
    ///   - baseDelay: The longest that the first wait can be.
    ///   - maximumDelay: The longest that a wait of our own choosing can be.
    ///   - statuses: The statuses that are asked again.
    ///   - idempotencyKeyHeader: The header field that makes a request safe to be sent again.
    public init(
        maximumAttempts: Int = 3,
        baseDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(30),
        statuses: Set<Int> = RetryPolicy.standardStatuses,
        idempotencyKeyHeader: String = "Idempotency-Key"
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.statuses = statuses
        self.idempotencyKeyHeader = idempotencyKeyHeader
    }

    /// What is wrong with it; `nil` if nothing is.
    var problem: String? {
        if maximumAttempts < 1 { return "maximumAttempts is less than 1: `.never` sends a request once" }
        if baseDelay < .zero || maximumDelay < .zero { return "a delay is negative" }
        if !HTTPMethod(idempotencyKeyHeader).isToken { return "idempotencyKeyHeader is no header field's name" }
        return nil
    }
}
