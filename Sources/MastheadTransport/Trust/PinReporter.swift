package import FoundationEssentials
import MastheadLock

/// Learns what is to be known about pins, and knows the time they are judged by.
///
/// No two are equal, and nothing is shared between exchanges of different ones, so one is made once and kept.
package final class PinReporter: Sendable, Hashable {
    /// How many events wait for who takes them; what comes then is lost.
    package static let maximumWaiting = 256

    private let clock: @Sendable () -> Date
    private let keep: @Sendable (Date) -> Void
    private let latest: Lock<Date>
    private let events: AsyncStream<PinEvent>.Continuation

    /// Makes a reporter.
    ///
    /// - Parameters:
    ///   - floor: The latest time that was seen before: a clock that was set back behind it is not believed.
    ///   - clock: The wall clock.
    ///   - keep: Keeps the time of each chain that was verified.
    ///   - report: Takes the events, one after the other, on no thread of an exchange.
    package init(
        floor: Date = .distantPast,
        clock: @escaping @Sendable () -> Date = { Date() },
        keep: @escaping @Sendable (Date) -> Void = { _ in },
        report: @escaping @Sendable (PinEvent) async -> Void
    ) {
        latest = Lock(floor)
        self.clock = clock
        self.keep = keep
        let (stream, events) = AsyncStream.makeStream(
            of: PinEvent.self,
            bufferingPolicy: .bufferingOldest(Self.maximumWaiting)
        )
        self.events = events
        Task.detached {
            for await event in stream { await report(event) }
        }
    }

    deinit {
        events.finish()
    }

    /// The time, or that of the latest chain that was verified, if the clock has gone back behind it.
    package var now: Date {
        let now = clock()
        return latest.withLock { max($0, now) }
    }

    /// Notes that a chain was verified by the clock, as it stands: its certificates bound how wrong that can be.
    package func noteVerified() {
        let now = clock()
        latest.withLock { $0 = max($0, now) }
        keep(now)
    }

    /// Leaves an event for who takes them; never waits.
    func report(_ event: PinEvent) {
        events.yield(event)
    }

    package static func == (left: PinReporter, right: PinReporter) -> Bool {
        left === right
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
