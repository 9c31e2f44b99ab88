public import FoundationEssentials

/// Where the layer takes the time from: deadlines and waits by ``now``, ages and dates by ``date``.
///
/// An app leaves it at ``SystemTime``; a test gives a `ManualClock` of `MastheadTesting` and turns it by hand.
///
/// ```swift
/// $0.time = ManualClock()
/// ```
public protocol TimeSource: Sendable {
    /// The time since some fixed moment; never goes back.
    var now: Duration { get }

    /// The wall clock.
    var date: Date { get }

    /// Waits until ``now`` has reached `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Duration) async throws(CancellationError)

    /// Calls `action` each time the clock is turned by hand, until the returned closure is called.
    ///
    /// A clock that runs by itself never calls it.
    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension TimeSource {
    public func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        {}
    }
}
