import MastheadLock

/// Those who want to know what others do to a database.
final class ChangeFeed: Sendable {
    struct Listener: Sendable {
        let tell: @Sendable (DatabaseChange) -> Void
        /// Called when nothing more comes; `nil` for one who stays, whatever becomes of the folder.
        let end: (@Sendable () -> Void)?
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var nextID = 0
        var watch: FolderWatch?
        /// Whether a connection was opened since the folder is there.
        var isOpen = false
        /// Whether the watch has begun, or is about to.
        var isStarted = false
        var isFinished = false

        /// Whether the watch is to be begun, by who asks first.
        mutating func mustStart() -> Bool {
            guard isOpen, !isStarted, !isFinished, !listeners.isEmpty else { return false }
            isStarted = true
            return true
        }
    }

    private let state = Lock(State())

    /// Adds a listener.
    ///
    /// - Returns: Whether the watch must be begun for him.
    func add(_ listener: Listener) -> (id: Int, mustStart: Bool) {
        let (id, mustStart) = state.withLock { state in
            guard !state.isFinished else { return (-1, false) }
            defer { state.nextID += 1 }
            state.listeners[state.nextID] = listener
            return (state.nextID, state.mustStart())
        }
        if id < 0 { listener.end?() }
        return (id, mustStart)
    }

    func remove(_ id: Int) {
        let watch = state.withLock { state -> FolderWatch? in
            state.listeners[id] = nil
            guard state.listeners.isEmpty else { return nil }
            defer { (state.watch, state.isStarted) = (nil, false) }
            return state.watch
        }
        _ = watch
    }

    /// Notes that a connection was opened.
    ///
    /// - Returns: Whether the watch must be begun now.
    func noteOpening() -> Bool {
        state.withLock { state in
            state.isOpen = true
            return state.mustStart()
        }
    }

    /// Watches the folder from now on, if it is not watched.
    func watch(_ make: () throws(DatabaseError) -> FolderWatch) throws(DatabaseError) {
        guard state.withLock({ $0.watch == nil && !$0.isFinished }) else { return }
        let watch = try make()
        state.withLock { state in
            guard !state.isFinished else { return }
            (state.watch, state.isStarted) = (watch, true)
        }
    }

    /// Says whether nobody but the one who asks can write to the file: then what he writes need not be looked at, each piece
    /// of it.
    func setQuiet(_ isQuiet: Bool) {
        state.withLock { $0.watch }?.setQuiet(isQuiet)
    }

    func tell(_ change: DatabaseChange) {
        let listeners = state.withLock { Array($0.listeners.values) }
        Patience.pause { for listener in listeners { listener.tell(change) } }
    }

    /// Says that nothing more comes: ever, or until the file is opened again.
    func end(forGood isForGood: Bool) {
        let (ended, watch) = state.withLock { state in
            let ended = state.listeners.values.filter { isForGood || $0.end != nil }
            state.listeners = isForGood ? [:] : state.listeners.filter { $0.value.end == nil }
            if isForGood { state.isFinished = true }
            (state.isOpen, state.isStarted) = (false, false)
            defer { state.watch = nil }
            return (ended, state.watch)
        }
        Patience.pause { for listener in ended { listener.end?() } }
        _ = watch
    }
}
