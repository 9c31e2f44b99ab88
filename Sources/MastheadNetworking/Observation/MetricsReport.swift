import MastheadLock

/// Takes what an exchange took on the wire, also of one that failed.
package final class MetricsReport: Sendable {
    private let state: Lock<ExchangeMetrics?>

    package init(_ metrics: ExchangeMetrics? = nil) {
        state = Lock(metrics)
    }

    /// What was delivered; `nil` before, and from an executor that does not measure.
    package var metrics: ExchangeMetrics? { state.withLock { $0 } }

    /// Takes the metrics of the exchange that is over.
    package func deliver(_ metrics: ExchangeMetrics) {
        state.withLock { $0 = metrics }
    }
}

extension MetricsReport: Hashable {
    package static func == (left: MetricsReport, right: MetricsReport) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
