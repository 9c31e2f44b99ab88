public import FoundationEssentials

/// The machine's clocks: the continuous one for deadlines, the wall clock for dates.
///
/// ```swift
/// let elapsed = SystemTime().now - start
/// ```
public struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now

    /// Makes the source; every one tells the same time.
    public init() {}

    public var now: Duration { ContinuousClock.now - Self.origin }

    public var date: Date { Date() }

    public func sleep(until deadline: Duration) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(until: Self.origin + deadline)
        } catch {
            throw CancellationError()
        }
    }
}
