/// What an exchange took on the wire: time, bytes, and the connection it went over.
///
/// ```swift
/// if let metrics = response.metrics, metrics.isConnectionReused == false { report(metrics.connect, metrics.tls) }
/// ```
///
/// An executor fills in what it knows; everything else is `nil`. The durations are of one phase each, and a phase that
/// did not take place (a handshake on a connection that stood already) is `nil` too.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The version that was spoken, as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String?

    /// Whether the connection had carried another exchange before.
    public var isConnectionReused: Bool?

    /// Whether it was sent a second time, because the first connection turned out to be closed already.
    public var isSecondAttempt: Bool?

    /// How long it waited for a place among its host's connections.
    public var queue: Duration?

    /// How long the host's name took to resolve.
    public var nameLookup: Duration?

    /// How long the connection took to be made, without its handshake.
    public var connect: Duration?

    /// How long the TLS handshake took.
    public var tls: Duration?

    /// How long it took from the connection, new or old, to the first byte of the answer.
    public var firstByte: Duration?

    /// How long the whole exchange took, from the moment it was handed over.
    public var total: Duration?

    /// The bytes that were sent, head and body.
    public var bytesSent: Int?

    /// The bytes that were received, head and body, before a content coding was undone.
    public var bytesReceived: Int?

    /// The own address and port, as `192.0.2.1:50000` or `[2001:db8::1]:50000`.
    public var localAddress: String?

    /// The address and port at the other end: the server's, or the proxy's.
    public var remoteAddress: String?

    /// Makes metrics of which nothing is known yet.
    public init() {}
}
