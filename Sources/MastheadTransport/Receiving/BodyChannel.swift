import FoundationEssentials
import MastheadLock

/// A bounded channel from the loop to one task that reads a body as it comes.
///
/// When it is full the exchange rests, so that the server is told to wait by its connection; when the reader has taken
/// what there was, the exchange is resumed.
final class BodyChannel: BodySink, Sendable {
    private struct State {
        var chunks: [Data] = []
        var count = 0
        var isExchangeResting = false
        var end: Result<Void, TransportError>?
        var reader: CheckedContinuation<Void, Never>?
        var resume: (@Sendable () -> Void)?
    }

    private static let joinedSize = 16 << 10

    private let capacity: Int
    private let state = Lock(State())

    /// Makes a channel that holds about so many bytes.
    init(capacity: Int = 256 << 10) {
        self.capacity = capacity
    }

    // MARK: The loop

    func begin(_ head: ReceivedHead) {}

    func take(_ bytes: UnsafeRawBufferPointer, expected: Int) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            // Nobody reads it any more; the exchange is about to end.
            guard state.end == nil else { return (true, nil) }
            guard state.count < capacity else {
                state.isExchangeResting = true
                return (false, nil)
            }
            // Tiny pieces are joined: a body that trickles must not make a list of them.
            if let last = state.chunks.indices.last, state.chunks[last].count + bytes.count <= Self.joinedSize {
                state.chunks[last].append(contentsOf: bytes)
            } else {
                state.chunks.append(Data(bytes))
            }
            state.count += bytes.count
            defer { state.reader = nil }
            return (true, state.reader)
        }
        reader?.resume()
        return isTaken
    }

    func end() -> Data { Data() }

    /// Ends the body: after the last byte, or with what broke it.
    func finish(_ result: Result<Void, TransportError>) {
        let reader = state.withLock { state in
            state.end = state.end ?? result
            // It leads back to the exchange, which has this channel.
            state.resume = nil
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    // MARK: The reader

    /// Says how to resume the exchange.
    func onRoom(_ resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
    }

    /// Drops what has come and what will come, and lets go of the exchange.
    ///
    /// What is asked for after this is an error: a body of which something was dropped must not look whole.
    func close() {
        let (reader, resume) = state.withLock { state in
            let old = state
            state = State()
            state.end = if case .failure = old.end { old.end } else { .failure(.cancelled) }
            return (old.reader, old.resume)
        }
        reader?.resume()
        withExtendedLifetime(resume) {}
    }

    /// The next bytes; `nil` after the last.
    func next() async throws(TransportError) -> Data? {
        while true {
            let (result, resume) = take()
            resume?()
            if let result { return try result.get() }
            await withCheckedContinuation { continuation in
                let mustLook = state.withLock { state in
                    guard state.chunks.isEmpty, state.end == nil, state.reader == nil else { return true }
                    state.reader = continuation
                    return false
                }
                if mustLook { continuation.resume() }
            }
        }
    }

    /// What there is, and what to call when there is room again; `nil` if nothing has come.
    private func take() -> (Result<Data?, TransportError>?, (@Sendable () -> Void)?) {
        state.withLock { state in
            if state.chunks.isEmpty { return (state.end.map { $0.map { nil } }, nil) }
            let chunk = state.chunks.removeFirst()
            state.count -= chunk.count
            guard state.isExchangeResting, state.count < capacity / 2 else { return (.success(chunk), nil) }
            state.isExchangeResting = false
            return (.success(chunk), state.resume)
        }
    }
}
