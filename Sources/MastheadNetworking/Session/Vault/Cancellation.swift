import MastheadLock

/// Says to a thread that is blocked that nobody waits for it any more.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Whether nobody waits any more.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Runs the action of the present, or at once that of the next.
    func cancel() {
        // Under the lock, so that what the action needs is not taken away meanwhile: it must be brief, and its own.
        state.withLock { state in
            state.isCancelled = true
            state.action?()
        }
    }

    /// Sets what ends the work; `nil` once it has ended by itself, after which the action does not run any more.
    func onCancel(_ action: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.action = action
            if state.isCancelled { action?() }
        }
    }
}
