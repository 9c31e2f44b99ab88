/// What is told of one attempt when it is over: one exchange, whether or not an answer came.
///
/// ```swift
/// case .attemptFinished(let record): report(record.outcome, record.duration, record.metrics?.isConnectionReused)
/// ```
public struct ExchangeRecord: Sendable {
    /// Its number within the call, counted from 1: polls, redirects and retries have one each.
    public let attempt: Int

    /// The method.
    public let method: HTTPMethod

    /// Where it went.
    public let url: RedactedURL

    /// What it came to.
    public let outcome: NetworkOutcome

    /// How long it took, from the hand-over to the executor.
    public let duration: Duration

    /// What it took on the wire; `nil` if the executor does not measure, and while a streamed body has not ended.
    public var metrics: ExchangeMetrics? { report?.metrics }

    let report: MetricsReport?
}

extension ExchangeRecord: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        "attempt \(attempt): \(method) \(url): \(outcome) in \(duration.wholeMilliseconds) ms"
    }
}
