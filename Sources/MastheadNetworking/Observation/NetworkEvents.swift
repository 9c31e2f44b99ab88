import MastheadLock

/// An observer that hands the events on as streams.
///
/// ```swift
/// let events = NetworkEvents()
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.observer = events }
///
/// for await event in events.events { console.append("\(event)") }
/// ```
///
/// Events wait in a buffer of their own for each stream; whoever reads too slowly loses the oldest. Without a stream an
/// event costs next to nothing. It is safe to use from any thread.
public final class NetworkEvents: NetworkObserver {
    private struct State {
        var streams: [Int: AsyncStream<NetworkEvent>.Continuation] = [:]
        var nextStream = 0
    }

    private let capacity: Int
    private let state = Lock(State())

    /// Makes an observer.
    ///
    /// - Parameter capacity: How many events may wait for the reader of a stream.
    public init(capacity: Int = 1000) {
        self.capacity = capacity
    }

    deinit {
        // The streams hold no reference to this, so they would wait for ever.
        for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() }
    }

    /// The events from now on.
    ///
    /// Each call makes a stream of its own. It ends with the task that reads it, and with the observer.
    public var events: AsyncStream<NetworkEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) { continuation in
            let id = state.withLock { state in
                state.nextStream += 1
                state.streams[state.nextStream] = continuation
                return state.nextStream
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
            }
        }
    }

    /// Hands an event to every stream.
    public func observe(_ event: NetworkEvent) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(event) }
    }
}
