package import MastheadTransport
import Synchronization

/// Takes what an exchange took on the wire, also of one that failed.
package final class MetricsReport: Sendable {
    /// What was measured, as it was: it becomes what an app reads only when that is asked for.
    private final class Measurement: Sendable {
        enum Kind: Sendable {
            case exchange(ExchangeMetrics)
            case transport(TransportMetrics)
        }

        let kind: Kind

        init(_ kind: consuming Kind) {
            self.kind = kind
        }
    }

    /// What the report owns; set once, since an exchange ends once.
    ///
    /// A lock for that would cost as much as the rest of a report, and so would an `AtomicLazyReference`, whose code is
    /// not specialized.
    private let measurement = Atomic<Unmanaged<Measurement>?>(nil)

    /// Makes a report that waits for its metrics.
    package init() {}

    /// Makes a report of what was measured already.
    package init(_ metrics: ExchangeMetrics) {
        set(Measurement(.exchange(metrics)))
    }

    deinit {
        measurement.load(ordering: .acquiring)?.release()
    }

    /// What was delivered; `nil` before, and from an executor that does not measure.
    package var metrics: ExchangeMetrics? {
        switch measurement.load(ordering: .acquiring)?.takeUnretainedValue().kind {
        case nil: nil
        case .exchange(let metrics): metrics
        case .transport(let metrics): ExchangeMetrics(metrics)
        }
    }

    /// Takes the metrics of the exchange that is over; those that come first count.
    package func deliver(_ metrics: consuming TransportMetrics) {
        set(Measurement(.transport(metrics)))
    }

    private func set(_ value: Measurement) {
        let owned = Unmanaged.passRetained(value)
        let (isSet, _) = measurement.compareExchange(expected: nil, desired: owned, ordering: .acquiringAndReleasing)
        if !isSet { owned.release() }
    }
}

extension MetricsReport: Hashable {
    package static func == (left: MetricsReport, right: MetricsReport) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
