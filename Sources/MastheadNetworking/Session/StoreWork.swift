import MastheadLock

/// What a store is asked to do, and what comes of it.
///
/// A task that waits for that is let go when it is cancelled. What is being written goes on; what is being read is given up
/// when nobody waits for it any more, and does not keep the store from what comes next.
final class StoreWork<Outcome: Sendable>: Sendable {
    private struct State {
        var outcome: Outcome?
        /// How many are going to look at the outcome.
        var audience: Int
        var waiters: [Int: CheckedContinuation<Outcome?, Never>] = [:]
        var nextID = 0
        var task: Task<Void, Never>?
        /// Whether what comes next need not wait for it.
        var isOver = false
        var next: CheckedContinuation<Void, Never>?

        /// Lets what comes next begin.
        mutating func release() -> CheckedContinuation<Void, Never>? {
            isOver = true
            defer { next = nil }
            return next
        }
    }

    private let state: Lock<State>
    private let isRead: Bool

    /// Begins.
    ///
    /// - Parameters:
    ///   - isRead: Whether it only reads.
    ///   - audience: How many are going to look at the outcome.
    ///   - start: Makes the task that does it, and says so with ``end(with:)``.
    init(isRead: Bool, audience: Int, start: (StoreWork) -> Task<Void, Never>) {
        self.isRead = isRead
        state = Lock(State(audience: audience))
        let task = start(self)
        state.withLock { $0.task = task }
    }

    /// Is one more to look at the outcome.
    ///
    /// - Returns: Whether there will be one: `false` if it was given up.
    func join() -> Bool {
        state.withLock { state in
            guard state.outcome != nil || !state.isOver else { return false }
            state.audience += 1
            return true
        }
    }

    /// Waits for the outcome; each of those who are going to look at it does so once.
    ///
    /// - Returns: The outcome; `nil` if the task is cancelled before there is one.
    func outcome() async -> Outcome? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if state.outcome == nil { state.waiters[id] = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
                // A cancellation that came before this point found nobody to let go.
                if outcome == nil, Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Lets one go who waits, and gives up what nobody waits for and only reads.
    private func leave(_ id: Int) {
        var waiter: CheckedContinuation<Outcome?, Never>?
        var task: Task<Void, Never>?
        var next: CheckedContinuation<Void, Never>?
        state.withLock { state in
            waiter = state.waiters.removeValue(forKey: id)
            guard waiter != nil else { return }
            state.audience -= 1
            guard isRead, state.audience == 0 else { return }
            task = state.task
            next = state.release()
        }
        task?.cancel()
        next?.resume()
        waiter?.resume(returning: nil)
    }

    /// Tells what came of it.
    ///
    /// - Returns: Whether somebody looks at it.
    func end(with outcome: Outcome) -> Bool {
        let (waiters, next, isAwaited) = state.withLock { state in
            let waiters = Array(state.waiters.values)
            state.waiters = [:]
            state.outcome = outcome
            return (waiters, state.release(), state.audience > 0)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
        next?.resume()
        return isAwaited
    }

    /// Waits until the next work may begin: for one alone.
    func isOver() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.next = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
