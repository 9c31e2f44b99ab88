/// One encoded request: what libcurl is told, and nothing an app decides.
package struct TransportRequest: Sendable {
    package var method: String
    /// The absolute URL, `http` or `https`, percent-encoded.
    package var url: String
    package var headers: [HeaderField]
    package var body: TransportBody?
    package var priority = TransportPriority.normal
    /// Learns how many bytes of the body were sent; on the loop's thread or the caller's.
    package var onSent: (@Sendable (_ sent: Int) -> Void)?
    /// Learns what is known of the exchange when it ends, once; on the loop's thread or the caller's.
    package var onMetrics: (@Sendable (TransportMetrics) -> Void)?
    package var limits: TransportLimits

    package init(
        method: String = "GET",
        url: String,
        headers: [HeaderField] = [],
        body: TransportBody? = nil,
        limits: TransportLimits = TransportLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }
}

extension TransportRequest {
    /// Whether it asks what may be asked twice (RFC 9110, section 9.2.2).
    var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(method) }
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
