import MastheadLock

/// A count that tasks wait for: each is resumed when it has been reached, cancelled, or cannot be reached any more.
package final class Milestones: Sendable {
    /// How a wait ended.
    enum Outcome {
        case reached
        case ended
        case cancelled
    }

    private struct Waiter {
        let threshold: Int
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var count = 0
        var isEnded = false
        var nextID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Lock(State())

    /// Begins at 0.
    package init() {}

    deinit {
        end()
    }

    /// The count.
    package var count: Int { state.withLock { $0.count } }

    /// Changes the count and resumes those whose threshold it has reached.
    package func change(by difference: Int) {
        let due = state.withLock { state in
            state.count += difference
            let reached = state.waiters.filter { $0.value.threshold <= state.count }
            for id in reached.keys { state.waiters[id] = nil }
            return reached.values.map(\.continuation)
        }
        for continuation in due { continuation.resume(returning: .reached) }
    }

    /// Resumes everybody; later waits for what is not reached end at once.
    package func end() {
        let left = state.withLock { state in
            state.isEnded = true
            let left = state.waiters.values.map(\.continuation)
            state.waiters = [:]
            return left
        }
        for continuation in left { continuation.resume(returning: .ended) }
    }

    /// Waits until the count is at least `threshold`; `false` if that cannot happen any more.
    package func reach(_ threshold: Int) async throws(CancellationError) -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if state.count >= threshold { return .reached }
                    if state.isEnded { return .ended }
                    // A cancellation that came before this point found nobody to resume; one that comes after it will.
                    if Task.isCancelled { return .cancelled }
                    state.waiters[id] = Waiter(threshold: threshold, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(returning: .cancelled)
        }
        switch outcome {
        case .reached: return true
        case .ended: return false
        case .cancelled: throw CancellationError()
        }
    }
}
