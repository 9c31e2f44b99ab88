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

        init(_ kind: Kind) {
            self.kind = kind
        }
    }

    /// An exchange ends once, so this is set once; a lock for that would cost as much as the rest of a report.
    private let measurement = AtomicLazyReference<Measurement>()

    /// Makes a report that waits for its metrics.
    package init() {}

    /// Makes a report of what was measured already.
    package init(_ metrics: ExchangeMetrics) {
        _ = measurement.storeIfNil(Measurement(.exchange(metrics)))
    }

    /// What was delivered; `nil` before, and from an executor that does not measure.
    package var metrics: ExchangeMetrics? {
        switch measurement.load()?.kind {
        case nil: nil
        case .exchange(let metrics): metrics
        case .transport(let metrics): ExchangeMetrics(metrics)
        }
    }

    /// Takes the metrics of the exchange that is over; those that come first count.
    package func deliver(_ metrics: consuming TransportMetrics) {
        _ = measurement.storeIfNil(Measurement(.transport(metrics)))
    }
}

extension MetricsReport: Hashable {
    package static func == (left: MetricsReport, right: MetricsReport) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
