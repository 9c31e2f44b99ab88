import MastheadLock
package import MastheadTransport

/// Takes what an exchange took on the wire, also of one that failed.
package final class MetricsReport: Sendable {
    /// What was measured, as it was: it becomes what an app reads only when that is asked for.
    private enum Measurement {
        case exchange(ExchangeMetrics)
        case transport(TransportMetrics)
    }

    private let state: Lock<Measurement?>

    package init(_ metrics: ExchangeMetrics? = nil) {
        state = Lock(metrics.map { .exchange($0) })
    }

    /// What was delivered; `nil` before, and from an executor that does not measure.
    package var metrics: ExchangeMetrics? {
        switch state.withLock({ $0 }) {
        case nil: nil
        case .exchange(let metrics): metrics
        case .transport(let metrics): ExchangeMetrics(metrics)
        }
    }

    /// Takes the metrics of the exchange that is over.
    package func deliver(_ metrics: TransportMetrics) {
        state.withLock { $0 = .transport(metrics) }
    }
}

extension MetricsReport: Hashable {
    package static func == (left: MetricsReport, right: MetricsReport) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
