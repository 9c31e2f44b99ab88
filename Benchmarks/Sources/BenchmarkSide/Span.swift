/// A stretch of this process's life, from when it is made: how long it took, and what it used up.
public struct Span: Sendable {
    private let before = ProcessUsage.now
    private let start = monotonicNanoseconds()

    /// Starts it.
    public init() {}

    /// Ends it.
    ///
    /// - Parameters:
    ///   - latencies: How long each piece of the work took, in nanoseconds.
    ///   - count: How many pieces there were; `nil` for as many as there are latencies.
    ///   - bytes: The size of each.
    /// - Returns: The result.
    public func result(of latencies: [UInt64], count: Int? = nil, bytes: Int) -> SideResult {
        let seconds = Double(monotonicNanoseconds() - start) / 1e9
        let after = ProcessUsage.now
        let sorted = latencies.sorted()
        let count = count ?? sorted.count
        return SideResult(
            requests: count,
            seconds: seconds,
            bytes: count * bytes,
            p50: Double(sorted[sorted.count / 2]) / 1e3,
            p99: Double(sorted[sorted.count * 99 / 100]) / 1e3,
            cpuSeconds: after.cpuSeconds - before.cpuSeconds,
            switches: after.switches - before.switches,
            rssMiB: after.peakMiB,
            writtenBytes: after.writtenBytes - before.writtenBytes
        )
    }
}
