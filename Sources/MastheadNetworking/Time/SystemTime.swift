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

    public var now: Duration { SystemTransportClock().now }

    public var date: Date { Date() }

    public func sleep(until deadline: Duration) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(until: .now + (deadline - now))
        } catch {
            throw CancellationError()
        }
    }
}
