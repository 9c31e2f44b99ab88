#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The clock of an exchange's deadlines.
package protocol TransportClock: Sendable {
    /// The time since some fixed moment.
    var now: Duration { get }

    /// Calls `action` whenever the clock is turned by hand, until the returned closure is called.
    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// The machine's own clock.
package struct SystemTransportClock: TransportClock {
    package init() {}

    /// The time since the machine started, sleep included: that of `ContinuousClock`, which takes four times as long to
    /// tell it.
    package var now: Duration {
        #if os(Linux)
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let nanoseconds = Int128(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        return Duration(attoseconds: nanoseconds * 1_000_000_000)
        #else
        return ContinuousClock.now - Self.origin
        #endif
    }

    #if !os(Linux)
    private static let origin = ContinuousClock.now
    #endif

    package func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        {}
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, between 0 and `limit`.
    func milliseconds(atMost limit: Int = 600_000) -> Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < limit / 1000 else { return limit }
        return min(limit, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
