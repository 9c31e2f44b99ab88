import MastheadLock

/// Wakes those who observe a library when something of a kind that they look at has changed.
///
/// It tells nothing of what changed: a reader is woken, and reads what is so then. So one that is slow misses what was
/// replaced meanwhile, always comes to the last, and holds nobody up.
final class LibraryBroadcaster: Sendable {
    private struct State {
        var listeners: [Int: (marks: LibraryMarks, wake: AsyncStream<Void>.Continuation)] = [:]
        var nextID = 0
        var isOver = false
    }

    private let state = Lock(State())

    /// How many observe something.
    var count: Int { state.withLock { $0.listeners.count } }

    /// Has somebody woken at each change of a kind.
    ///
    /// - Returns: The wakes, which end when the reader lets go of them or the library is closed.
    func wakes(for marks: LibraryMarks) -> AsyncStream<Void> {
        // One wake is as good as many.
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = (marks, continuation)
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        } else {
            continuation.finish()
        }
        return wakes
    }

    /// Something was committed.
    func changed(_ marks: LibraryMarks) {
        let wakes = state.withLock { state in
            state.listeners.values.filter { !$0.marks.isDisjoint(with: marks) }.map(\.wake)
        }
        for wake in wakes { wake.yield() }
    }

    /// Nothing will change any more.
    func end() {
        let wakes = state.withLock { state in
            state.isOver = true
            return state.listeners.values.map(\.wake)
        }
        for wake in wakes { wake.finish() }
    }
}
