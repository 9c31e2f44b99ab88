import FoundationEssentials

/// What becomes of an answer's body as it arrives, on the loop's thread.
protocol BodySink: AnyObject {
    /// Learns the head before the first byte of the body.
    func begin(_ head: ReceivedHead) throws(TransportError)

    /// Takes a piece; `expected` is the announced length of the whole, 0 if there was none.
    ///
    /// If it says `false` it did not take it: the exchange rests until it is resumed, and offers the same piece again.
    func take(_ bytes: UnsafeRawBufferPointer, expected: Int) throws(TransportError) -> Bool

    /// Puts what has come where it belongs: at the end of each pass over the sockets, so that nothing waits for more.
    func flush() throws(TransportError)

    /// Learns that the body came whole; gives what is to be handed over of it.
    func end() throws(TransportError) -> Data
}

extension BodySink {
    func flush() throws(TransportError) {}
}

/// A head as it came, for whoever decides by it.
struct ReceivedHead: Sendable {
    let status: Int
    let lines: [UInt8]
    let version: TransportResponse.Version
}

/// Keeps the body in memory, up to a limit.
final class WholeBody: BodySink {
    private let limit: Int
    private var buffer = BodyBuffer()

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ head: ReceivedHead) {}

    func take(_ bytes: UnsafeRawBufferPointer, expected: Int) throws(TransportError) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        guard expected <= limit, buffer.count + bytes.count <= limit,
            buffer.append(base, count: bytes.count, expected: expected, limit: limit)
        else { throw .bodyTooLarge(limit: limit) }
        return true
    }

    func end() -> Data {
        buffer.takeData()
    }
}
