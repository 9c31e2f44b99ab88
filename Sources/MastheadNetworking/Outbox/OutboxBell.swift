import MastheadLock

/// Wakes those who watch an outbox.
final class OutboxBell: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
        var isOver = false
    }

    private let state = Lock(State())

    deinit {
        end()
    }

    /// A wake for each change from now on; one is as good as many.
    func wakes() -> AsyncStream<Void> {
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            if state.isOver { return nil }
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        guard let id else {
            continuation.finish()
            return wakes
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return wakes
    }

    /// Wakes everybody.
    func ring() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Wakes everybody for the last time.
    func end() {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in left { listener.finish() }
    }
}
