import MastheadLock

/// What a task holds that waits for work on another thread: the way to its result, and to calling it off.
final class Ticket<Output: Sendable>: Sendable {
    typealias Outcome = Result<Output, DatabaseError>

    private enum State {
        case waiting
        case running
        case over(Outcome)
    }

    /// The wish that the work should stop, for the connection that it runs on.
    let interruption = Interruption()
    private let state = Lock<(state: State, completion: (@Sendable (Outcome) -> Void)?)>((.waiting, nil))

    /// Whether the work may run: not if it was called off before.
    func begin() -> Bool {
        state.withLock {
            switch $0.state {
            case .waiting, .running:
                $0.state = .running
                return true
            case .over:
                return false
            }
        }
    }

    var isOver: Bool {
        state.withLock {
            if case .over = $0.state { true } else { false }
        }
    }

    /// Ends it, if nothing else has.
    func finish(_ outcome: Outcome) {
        end(with: outcome) { _ in true }
    }

    /// Calls it off: at once if it waits; if it runs, the connection sees the wish.
    func cancel(because error: DatabaseError = .cancelled) {
        interruption.wish()
        end(with: .failure(error)) {
            if case .waiting = $0 { true } else { false }
        }
    }

    private func end(with outcome: Outcome, if isRight: @Sendable (State) -> Bool) {
        let completion = state.withLock { state -> (@Sendable (Outcome) -> Void)? in
            if case .over = state.state { return nil }
            guard isRight(state.state) else { return nil }
            state.state = .over(outcome)
            defer { state.completion = nil }
            return state.completion
        }
        if let completion { Patience.pause { completion(outcome) } }
    }

    /// Says what to do with the outcome; called once, on the thread that ends the work.
    func onCompletion(_ completion: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state -> Outcome? in
            if case .over(let outcome) = state.state { return outcome }
            state.completion = completion
            return nil
        }
        if let outcome { completion(outcome) }
    }

    /// Starts the work and waits for its outcome; cancelling the task calls it off.
    func outcome(starting start: @Sendable () -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                onCompletion { continuation.resume(returning: $0) }
                if !isOver { start() }
            }
        } onCancel: {
            cancel()
        }
    }
}
