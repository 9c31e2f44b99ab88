import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// A clock on which every wait is over at once, and remembered: the time jumps to its end.
final class JumpingTime: TimeSource {
    private struct State {
        var now: Duration
        var waits: [Duration] = []
    }

    private let state: Lock<State>
    private let start: Date
    private let onSleep: @Sendable () async -> Void

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - date: The wall clock at the start.
    ///   - onSleep: Runs at the start of each wait.
    init(date: Date = Date(timeIntervalSince1970: 1_700_000_000), onSleep: @escaping @Sendable () async -> Void = {}) {
        start = date
        self.onSleep = onSleep
        state = Lock(State(now: .seconds(1000)))
    }

    /// How long each wait was to be, in order.
    var waits: [Duration] { state.withLock { $0.waits } }

    var now: Duration { state.withLock { $0.now } }

    var date: Date {
        let passed = now - .seconds(1000)
        return start.addingTimeInterval(Double(passed.components.seconds))
    }

    /// Lets time pass.
    func pass(_ duration: Duration) {
        state.withLock { $0.now += duration }
    }

    func sleep(until deadline: Duration) async throws(CancellationError) {
        await onSleep()
        if Task.isCancelled { throw CancellationError() }
        state.withLock { state in
            state.waits.append(deadline - state.now)
            state.now = max(state.now, deadline)
        }
    }
}
