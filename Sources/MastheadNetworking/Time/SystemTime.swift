public import FoundationEssentials
import MastheadTransport

/// The machine's clocks: the continuous one for deadlines, the wall clock for dates.
///
/// ```swift
/// let elapsed = SystemTime().now - start
/// ```
public struct SystemTime: TimeSource {
    /// Makes the source; every one tells the same time.
    public init() {}

    /// The time since the machine started, sleep included.
    public var now: Duration { SystemTransportClock().now }

    /// The wall clock's date.
    public var date: Date { Date() }

    /// Waits until ``now`` is the deadline.
    ///
    /// - Parameter deadline: The moment; one that has passed ends the wait at once.
    /// - Throws: `CancellationError` once the task is cancelled.
    public func sleep(until deadline: Duration) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(until: .now + (deadline - now))
        } catch {
            throw CancellationError()
        }
    }
}
