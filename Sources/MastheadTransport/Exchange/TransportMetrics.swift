/// What is known of one exchange after it ended, whatever it ended in.
///
/// A duration is `nil` if that part did not take place: a reused connection has no look-up, no connecting and no TLS.
package struct TransportMetrics: Sendable, Hashable {
    /// Waiting for a place.
    package var queue: Duration?
    package var nameLookup: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// From the request's start to the first byte of the answer.
    package var firstByte: Duration?
    /// Everything, by the exchange's clock.
    package var total: Duration?
    package var isReused = false
    package var version: TransportResponse.Version?
    /// Bytes of the head and the body, as they were on the wire but for the connection's own framing.
    package var sentBytes = 0
    package var receivedBytes = 0
    package var remoteAddress: SocketAddress?
    package var localAddress: SocketAddress?
    /// Whether it was sent a second time because a kept connection was lost.
    package var isSecondAttempt = false

    package init() {}
}
