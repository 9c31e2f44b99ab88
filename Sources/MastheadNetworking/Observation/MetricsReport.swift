/// Takes what an exchange took on the wire, also of one that failed.
package final class MetricsReport: Sendable {
    package let deliver: @Sendable (ExchangeMetrics) -> Void

    package init(_ deliver: @escaping @Sendable (ExchangeMetrics) -> Void) {
        self.deliver = deliver
    }
}

extension MetricsReport: Hashable {
    package static func == (left: MetricsReport, right: MetricsReport) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
