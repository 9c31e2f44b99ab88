package import FoundationEssentials

/// One encoded request: what libcurl is told, and nothing an app decides.
package struct TransportRequest: Sendable {
    package var method: String
    /// The absolute URL, `http` or `https`, percent-encoded.
    package var url: String
    package var headers: [HeaderField]
    package var body: Data?
    package var limits: TransportLimits

    package init(
        method: String = "GET",
        url: String,
        headers: [HeaderField] = [],
        body: Data? = nil,
        limits: TransportLimits = TransportLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }
}

/// The bounds of one exchange.
package struct TransportLimits: Sendable, Hashable {
    /// For name look-up, TCP and TLS together.
    package var connectTimeout: Duration = .seconds(15)
    /// For any time in which no byte moves, either way.
    package var idleTimeout: Duration = .seconds(75)
    /// For everything, waiting for a free connection included.
    package var totalTimeout: Duration?
    /// Of the body, before and after its coding is undone.
    package var maximumBodySize = 64 << 20
    /// Of all header fields together.
    package var maximumHeadSize = 256 << 10
    /// Exchanges under way to one origin over HTTP/1.1.
    package var maximumConnectionsPerHost = 6

    package init() {}
}
