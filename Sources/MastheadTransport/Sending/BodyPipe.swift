package import FoundationEssentials
import MastheadLock

/// A bounded pipe from a task that makes a body to the loop that sends it.
///
/// The writer waits while the pipe is full; the loop lets the exchange rest while it is empty. One task writes.
package final class BodyPipe: Sendable {
    private struct State {
        var chunks: [Data] = []
        /// How much of the first chunk was read.
        var offset = 0
        var count = 0
        var end: Result<Void, TransportError>?
        var isReaderWaiting = false
        var wake: (@Sendable () -> Void)?
        var writer: CheckedContinuation<Void, Never>?
    }

    private static let joinedSize = 16 << 10

    private let capacity: Int
    private let state = Lock(State())

    /// Makes a pipe that holds about so many bytes.
    package init(capacity: Int = 256 << 10) {
        self.capacity = capacity
    }

    // MARK: The writer

    /// Appends bytes; waits for room first.
    ///
    /// - Returns: Whether anybody still wants them: `false` once the exchange is over.
    package func write(_ data: Data) async -> Bool {
        guard !data.isEmpty else { return state.withLock { $0.end == nil } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    guard state.count >= capacity, state.end == nil, !Task.isCancelled else { return true }
                    state.writer = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        } onCancel: {
            releaseWriter()
        }
        guard !Task.isCancelled else { return false }
        let (isWanted, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.end == nil else { return (false, nil) }
            // Tiny pieces are joined: who writes byte by byte must not make a list of them.
            if let last = state.chunks.indices.last, state.chunks[last].count + data.count <= Self.joinedSize {
                state.chunks[last].append(data)
            } else {
                state.chunks.append(data)
            }
            state.count += data.count
            return (true, Self.wakeReader(&state))
        }
        wake?()
        return isWanted
    }

    /// Says that all bytes were written, or why there will be no more.
    package func finish(_ error: TransportError? = nil) {
        let wake = state.withLock { state in
            state.end = state.end ?? error.map { .failure($0) } ?? .success(())
            return Self.wakeReader(&state)
        }
        wake?()
        releaseWriter()
    }

    private func releaseWriter() {
        let writer = state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
    }

    private static func wakeReader(_ state: inout State) -> (@Sendable () -> Void)? {
        guard state.isReaderWaiting else { return nil }
        state.isReaderWaiting = false
        return state.wake
    }

    // MARK: The loop

    /// Says what to call when there is something to read after there was nothing.
    func onReady(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Says that the exchange is over: nobody wants what is written from now on.
    func close() {
        state.withLock { state in
            state.end = state.end ?? .success(())
            state.chunks = []
            // It leads back to the exchange, which has this pipe.
            state.wake = nil
        }
        releaseWriter()
    }

    /// Says that the server wants no more of it, and has an exchange that waits for more go on with the answer.
    func refuse() {
        let wake = state.withLock { state in
            state.end = state.end ?? .success(())
            state.chunks = []
            return Self.wakeReader(&state)
        }
        wake?()
        releaseWriter()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
        let result: Result<BodyReading, TransportError> = state.withLock { state in
            guard let first = state.chunks.first else {
                switch state.end {
                case .success: return .success(.end)
                case .failure(let error): return .failure(error)
                case nil:
                    state.isReaderWaiting = true
                    return .success(.nothingYet)
                }
            }
            let count = min(buffer.count, first.count - state.offset)
            let start = first.startIndex + state.offset
            first.copyBytes(to: buffer, from: start..<start + count)
            state.offset += count
            state.count -= count
            if state.offset == first.count {
                state.chunks.removeFirst()
                state.offset = 0
            }
            return .success(.bytes(count))
        }
        let reading = try result.get()
        if case .bytes = reading, state.withLock({ $0.count < capacity }) { releaseWriter() }
        return reading
    }
}

/// The pipe's end at the loop; a pipe is read by one exchange, once.
final class PipeSource: BodySource {
    private let pipe: BodyPipe

    init(_ pipe: BodyPipe) {
        self.pipe = pipe
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
        try pipe.read(into: buffer)
    }
}
