public import FoundationEssentials
import MastheadLock
public import MastheadNetworking

/// A clock that stands still until a test turns it.
///
/// ```swift
/// let clock = ManualClock()
/// let jobs = JobRepository(configuration: server.configuration { $0.time = clock })
///
/// async let job = jobs.waitForJob("7")
/// try await clock.sleepers(count: 1)      // the first answer was 202; the repository waits before it asks again
/// clock.advance(by: .seconds(1))
/// #expect(try await job.get().isDone)
/// ```
///
/// Deadlines go by ``now``, which starts at zero and never goes back; ages go by ``date``, which advances with it and
/// can be set to any date at any time. Every method is safe to call from anywhere.
public final class ManualClock: TimeSource {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Duration = .zero
        var date: Date
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var actions: [Int: @Sendable () -> Void] = [:]

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }
    }

    private let state: Lock<State>
    private let sleeping = Milestones()

    /// Makes a clock that stands at zero.
    ///
    /// - Parameter date: Its wall clock; 14 November 2023, 22:13:20 UTC by default.
    public init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        state = Lock(State(date: date))
    }

    /// How far the clock has been turned since it was made.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock; setting it changes no deadline, but counts as a turn for ``onTurn(_:)``.
    public var date: Date {
        get { state.withLock { $0.date } }
        set { turn { $0.date = newValue } }
    }

    /// Turns the clock: wakes whoever's deadline has come, then runs the actions of ``onTurn(_:)``.
    ///
    /// A negative duration turns it by nothing.
    public func advance(by duration: Duration) {
        let duration = max(.zero, duration)
        turn { state in
            state.now += duration
            state.date += duration.timeInterval
        }
    }

    /// Turns the clock to the next deadline that somebody sleeps for; `false` if nobody sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        guard let deadline = nextDeadline else { return false }
        advance(by: deadline - now)
        return true
    }

    /// The next moment, on ``now``, that somebody sleeps for; `nil` if nobody sleeps.
    public var nextDeadline: Duration? {
        state.withLock { $0.sleepers.values.map(\.deadline).min() }
    }

    /// Waits until ``now`` has reached `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, whatever the time.
    public func sleep(until deadline: Duration) async throws(CancellationError) {
        let id = state.withLock { $0.makeID() }
        let isAwake = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Bool? = state.withLock { state in
                    // A cancellation that came before this point found nobody to wake; one that comes after it will.
                    if Task.isCancelled { return false }
                    if deadline <= state.now { return true }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let outcome {
                    continuation.resume(returning: outcome)
                } else {
                    sleeping.change(by: 1)
                }
            }
        } onCancel: {
            guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else { return }
            sleeping.change(by: -1)
            sleeper.continuation.resume(returning: false)
        }
        guard isAwake else { throw CancellationError() }
    }

    /// Calls `action` after each turn, on the thread that turns and outside of any lock, until the returned closure is
    /// called.
    ///
    /// The last call may still be under way while the returned closure returns.
    public func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let id = state.withLock { state in
            let id = state.makeID()
            state.actions[id] = action
            return id
        }
        return { [weak self] in
            // Released outside of the lock: an action may own what calls this from its deinit.
            let action = self?.state.withLock { $0.actions.removeValue(forKey: id) }
            withExtendedLifetime(action) {}
        }
    }

    /// Waits until at least `count` tasks sleep at the same time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. Give the test a time limit: a sleep that never begins is
    ///   waited for without end.
    public func sleepers(count: Int) async throws(CancellationError) {
        _ = try await sleeping.reach(count)
    }

    private func turn(_ change: (inout State) -> Void) {
        let (due, actions) = state.withLock { state in
            change(&state)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
            for (id, _) in due { state.sleepers[id] = nil }
            return (due.map(\.value.continuation), state.actions.sorted { $0.key < $1.key }.map(\.value))
        }
        sleeping.change(by: -due.count)
        for continuation in due { continuation.resume(returning: true) }
        for action in actions { action() }
    }
}

extension Duration {
    /// In seconds, as dates count.
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
