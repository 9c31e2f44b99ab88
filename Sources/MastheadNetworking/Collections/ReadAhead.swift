import MastheadLock

/// Reads pages ahead of whoever takes them, in a task of its own, and no more than a number of pages far.
final class ReadAhead<Element: Sendable>: Sendable {
    private struct State {
        var isStarted = false
        var task: Task<Void, Never>?
        var pages: [[Element]] = []
        var end: Result<Void, RepositoryError>?
        /// Waits for a page, or the end.
        var taker: CheckedContinuation<Void, Never>?
        /// Waits until a page is taken.
        var reader: CheckedContinuation<Void, Never>?

        /// Whom to wake, after the lock is open.
        mutating func waiting() -> [CheckedContinuation<Void, Never>] {
            defer { (taker, reader) = (nil, nil) }
            return [taker, reader].compactMap { $0 }
        }
    }

    private let limit: Int
    private let begin: @Sendable () -> PageWalk<Element>
    private let state = Lock(State())

    /// Makes a reader that has not begun.
    init(limit: Int, _ begin: @escaping @Sendable () -> PageWalk<Element>) {
        self.limit = max(limit, 1)
        self.begin = begin
    }

    /// The pages as a walk; the reading ends with it.
    func walk(in pin: SessionPin) -> PageWalk<Element> {
        let owner = Owner(self)
        return PageWalk(in: pin) { () async throws(RepositoryError) in try await owner.reader.next() }
    }

    /// Begins to read, if it has not.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        let task = Task { await read() }
        let isOver = state.withLock { state in
            state.task = task
            return state.end != nil
        }
        if isOver { task.cancel() }
    }

    /// Ends the reading; what was read and not taken is gone.
    func cancel() {
        let (task, waiting) = state.withLock { state in
            if state.end == nil || !state.pages.isEmpty { state.end = .failure(.cancelled) }
            state.pages = []
            return (state.task, state.waiting())
        }
        task?.cancel()
        for continuation in waiting { continuation.resume() }
    }

    private func next() async throws(RepositoryError) -> [Element]? {
        start()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if !state.pages.isEmpty || state.end != nil { return true }
                    state.taker = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
        let (page, end, task, waiting) = state.withLock { state in
            let page = state.pages.isEmpty ? nil : state.pages.removeFirst()
            return (page, state.end, state.task, state.waiting())
        }
        for continuation in waiting { continuation.resume() }
        if let page { return page }
        // Nothing is left running behind the end.
        await task?.value
        try end?.get()
        return nil
    }

    private func read() async {
        let walk = begin()
        while await hasRoom() {
            do throws(RepositoryError) {
                guard let page = try await walk.next() else { return finish(.success(())) }
                wake { if $0.end == nil { $0.pages.append(page) } }
            } catch {
                return finish(.failure(error))
            }
        }
    }

    /// Waits until the next page may be read; `false` if none is wanted any more.
    private func hasRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { [limit] state in
                if state.pages.count < limit || state.end != nil { return true }
                state.reader = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        return state.withLock { $0.end == nil }
    }

    private func finish(_ end: Result<Void, RepositoryError>) {
        wake { $0.end = $0.end ?? end }
    }

    private func wake(_ change: (inout State) -> Void) {
        let taker = state.withLock { state in
            change(&state)
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume()
    }
}

extension ReadAhead {
    /// Ends the reading with its own life.
    private final class Owner: Sendable {
        let reader: ReadAhead

        init(_ reader: ReadAhead) {
            self.reader = reader
        }

        deinit {
            reader.cancel()
        }
    }
}
