public import FoundationEssentials

/// A request as it goes to the wire: encoded, absolute, complete.
///
/// An interceptor, ``AbstractRepository/prepare(_:)`` and a ``RequestExecutor`` see this value; an app usually writes
/// a ``Request`` and never makes one itself.
///
/// ```swift
/// request.headers["X-Trace"] = trace
/// ```
public struct HTTPRequest: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod

    /// The absolute URL, every part already percent-encoded once.
    public var url: URL

    /// The header fields; the transport adds `Host` and `Content-Length`.
    public var headers: HTTPHeaders

    /// The body; `nil` sends none.
    public var body: HTTPBody?

    /// How long this one exchange may take in all; `nil` sets no limit.
    public var timeout: Duration?

    /// How soon it gets a place when its host's are all taken.
    public var priority: RequestPriority

    /// How the body of the answer is wanted; an executor that knows of no other way brings it whole.
    package var delivery: BodyDelivery

    /// Whether the session's token was put into it, so that a 401 is about that.
    package var carriesSession = false

    /// Takes what the exchange took on the wire; `nil` if nobody wants to know, so that nothing is measured.
    package var metricsReport: MetricsReport?

    /// Whether it has a signature of the configuration's signer.
    package var isSigned = false

    /// What few requests have: one is handed on too often to carry all that.
    @Seldom var rarities: Rarities?

    /// Makes a request; nothing of it is checked or encoded before it is sent.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) {
        self.init(
            method: method,
            url: url,
            headers: headers,
            body: body,
            timeout: timeout,
            priority: priority,
            delivery: .whole
        )
    }

    /// Makes a request whose answer is wanted in a way.
    init(
        method: HTTPMethod,
        url: URL,
        headers: HTTPHeaders,
        body: HTTPBody?,
        timeout: Duration?,
        priority: RequestPriority,
        delivery: BodyDelivery
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.priority = priority
        self.delivery = delivery
    }
}
