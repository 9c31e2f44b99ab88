import FoundationEssentials
import MastheadLock

/// A wall clock that a test turns.
final class TurnedDate: Sendable {
    private let state: Lock<Date>

    init(_ date: Date) {
        state = Lock(date)
    }

    var date: Date { state.withLock { $0 } }

    func turn(to date: Date) {
        state.withLock { $0 = date }
    }
}
