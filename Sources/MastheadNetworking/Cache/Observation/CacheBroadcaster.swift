import MastheadLock

/// Wakes those who observe a partition when something in it changed.
///
/// It tells nothing of what changed: a reader is woken, and reads what is so then. So one that is slow misses what was
/// replaced meanwhile, always comes to the last, and holds nobody up.
final class CacheBroadcaster: Sendable {
    /// What somebody observes.
    enum Subject: Sendable, Hashable {
        /// One key.
        case key(EntryKey)

        /// Whatever has a tag, or is of a type.
        case many
    }

    private struct State {
        var listeners: [Int: (subject: Subject, wake: AsyncStream<Void>.Continuation)] = [:]
        var nextID = 0
        var isOver = false
        /// Counts the changes, our own and others'.
        var version = 0
    }

    private let state = Lock(State())

    /// How many changes there were.
    var version: Int { state.withLock { $0.version } }

    /// How many observe something.
    var count: Int { state.withLock { $0.listeners.count } }

    /// Has somebody woken at each change.
    ///
    /// - Returns: The wakes, which end when the reader lets go of them or the partition ends.
    func wakes(for subject: Subject) -> CacheWakes {
        // One wake is as good as many.
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = (subject, continuation)
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        } else {
            continuation.finish()
        }
        return CacheWakes(stream: wakes) { continuation.yield() }
    }

    /// Something is about to change: what was read before is not to be remembered.
    func announce() {
        state.withLock { $0.version += 1 }
    }

    /// Something has changed, wherever it is looked for: one key, or who knows what.
    func changed(_ key: EntryKey? = nil) {
        let wakes = state.withLock { state in
            state.version += 1
            return state.listeners.values.filter { listener in
                guard let key, case .key(let observed) = listener.subject else { return true }
                return observed == key
            }.map(\.wake)
        }
        for wake in wakes { wake.yield() }
    }

    /// Nothing will change any more.
    func end() {
        let wakes = state.withLock { state in
            state.isOver = true
            state.version += 1
            return state.listeners.values.map(\.wake)
        }
        for wake in wakes { wake.finish() }
    }
}
