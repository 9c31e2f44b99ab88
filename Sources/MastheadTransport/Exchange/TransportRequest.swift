/// One encoded request: what libcurl is told, and nothing an app decides.
package struct TransportRequest: Sendable {
    package var method: String
    /// The absolute URL, `http` or `https`, percent-encoded.
    package let url: String
    /// The URL's origin, if it is known; else it is read from the URL.
    package let origin: Origin?
    package var headers: [HeaderField]
    package var body: TransportBody?
    package var priority: TransportPriority
    /// Learns how many bytes of the body were sent; on the loop's thread or the caller's.
    package var onSent: (@Sendable (_ sent: Int) -> Void)?
    /// Learns what is known of the exchange when it ends, once; on the loop's thread or the caller's.
    package var onMetrics: (@Sendable (consuming TransportMetrics) -> Void)?
    package var limits: TransportLimits

    package init(
        method: String = "GET",
        url: String,
        origin: Origin? = nil,
        headers: [HeaderField] = [],
        body: TransportBody? = nil,
        priority: TransportPriority = .normal,
        limits: TransportLimits = TransportLimits(),
        onSent: (@Sendable (_ sent: Int) -> Void)? = nil,
        onMetrics: (@Sendable (consuming TransportMetrics) -> Void)? = nil
    ) {
        self.method = method
        self.url = url
        self.origin = origin
        self.headers = headers
        self.body = body
        self.priority = priority
        self.limits = limits
        self.onSent = onSent
        self.onMetrics = onMetrics
    }
}

extension TransportRequest {
    /// Whether it asks what may be asked twice (RFC 9110, section 9.2.2).
    var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(method) }

    /// Whether it says how long its body is: some methods do even if it is empty (RFC 9110, section 8.6).
    var announcesBody: Bool { body != nil || ["POST", "PUT", "PATCH"].contains(method) }
}

/// The bounds of one exchange.
package struct TransportLimits: Sendable, Hashable {
    /// For name look-up, TCP and TLS together.
    package var connectTimeout: Duration = .seconds(15)
    /// For any time in which no byte moves, either way.
    package var idleTimeout: Duration = .seconds(75)
    /// For everything, waiting for a free connection included.
    package var totalTimeout: Duration?
    /// For waiting for a place.
    package var queueTimeout: Duration?
    /// Of the body, before and after its coding is undone.
    package var maximumBodySize = 64 << 20
    /// Of all header fields together.
    package var maximumHeadSize = 256 << 10
    /// Exchanges under way to one origin.
    package var places = PlaceLimit()

    package init() {}
}

/// Who goes first where exchanges wait for a place.
package enum TransportPriority: Int, Sendable, Hashable, CaseIterable {
    case low
    case normal
    case high
}
