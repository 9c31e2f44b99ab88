import MastheadLock

/// Whether calls are under way, for an indicator that does not flicker.
///
/// ```swift
/// let activity = NetworkActivity()
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.activity = activity }
///
/// for await isActive in activity.changes { indicator.isHidden = !isActive }
/// ```
///
/// It turns active when calls were under way for the start delay without a pause, and back when none was for the stop
/// delay, so that neither a quick call nor a short pause shows. One may serve several configurations. It is safe to use
/// from any thread, and runs nothing while there is nothing to wait for.
public final class NetworkActivity: Sendable {
    private let time: any TimeSource
    private let state: Lock<State>

    private struct State {
        var activity: ActivityState
        var observers: [Int: Observer] = [:]
        var nextObserver = 0
        /// Whether some thread is telling the observers: it goes on until they know the last state, so that no other
        /// may overtake it.
        var isTelling = false
        /// Whether a task waits for the next turn.
        var isWaiting = false
    }

    private struct Observer {
        let continuation: AsyncStream<Bool>.Continuation
        var told: Bool?
    }

    /// Makes a counter.
    ///
    /// - Parameters:
    ///   - startDelay: How long calls must be under way before it turns active; half a second by default.
    ///   - stopDelay: How long there must be none before it turns back; a quarter of a second by default.
    ///   - time: The clock of both delays.
    public init(
        startDelay: Duration = .milliseconds(500),
        stopDelay: Duration = .milliseconds(250),
        time: any TimeSource = SystemTime()
    ) {
        self.time = time
        state = Lock(State(activity: ActivityState(startDelay: startDelay, stopDelay: stopDelay)))
    }

    deinit {
        // The streams hold no reference to this, so they would wait for ever.
        for observer in state.withLock({ Array($0.observers.values) }) { observer.continuation.finish() }
    }

    /// Whether there is activity to show, now.
    public var isActive: Bool {
        let now = time.now
        return state.withLock { $0.activity.isActive(at: now) }
    }

    /// How many calls are under way, now.
    public var callsInFlight: Int {
        state.withLock { $0.activity.callsInFlight }
    }

    /// What ``isActive`` is, and then each change of it.
    ///
    /// Each call makes a stream of its own. An observer that is slow gets the last state, not all in between. A stream
    /// ends with the task that reads it, and with the counter.
    public var changes: AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                let id = state.nextObserver
                state.nextObserver += 1
                state.observers[id] = Observer(continuation: continuation)
                return id
            }
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                state.withLock { $0.observers[id] = nil }
            }
            tell()
        }
    }

    /// Counts a call that starts.
    package func begin() {
        let now = time.now
        state.withLock { $0.activity.begin(at: now) }
        tell()
    }

    /// Counts a call that is over, however it ended.
    package func end() {
        let now = time.now
        state.withLock { $0.activity.end(at: now) }
        tell()
    }

    /// Tells every observer the state it does not know yet, and waits for the next turn if there is one to come.
    private func tell() {
        let now = time.now
        let mayTell = state.withLock { state in
            state.activity.settle(at: now)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if mayTell {
            while let (continuation, isActive) = nextToTell() { continuation.yield(isActive) }
        }
        waitForTurn()
    }

    private func nextToTell() -> (AsyncStream<Bool>.Continuation, Bool)? {
        state.withLock { state in
            let isActive = state.activity.wasActive
            guard let (id, observer) = state.observers.first(where: { $0.value.told != isActive }) else {
                state.isTelling = false
                return nil
            }
            state.observers[id]?.told = isActive
            return (observer.continuation, isActive)
        }
    }

    /// Has one task wait for the planned turn; without an observer nobody needs it.
    private func waitForTurn() {
        let turn = state.withLock { state -> Duration? in
            guard !state.isWaiting, !state.observers.isEmpty, let turn = state.activity.turn else { return nil }
            state.isWaiting = true
            return turn
        }
        guard let turn else { return }
        Task { [weak self, time] in
            try? await time.sleep(until: turn)
            self?.turnCame()
        }
    }

    private func turnCame() {
        state.withLock { $0.isWaiting = false }
        // If the plan was put off meanwhile, this waits again.
        tell()
    }
}
