/// What is told of one call when it is over, however it ended.
///
/// ```swift
/// case .callFinished(let record): log("\(record.method) \(record.url): \(record.outcome), \(record.attempts) attempts")
/// ```
public struct CallRecord: Sendable {
    /// The method.
    public let method: HTTPMethod

    /// Where it went first; `nil` if no URL could be made.
    public let url: RedactedURL?

    /// What it came to: an answer, if that was one of success and did become what was wanted of it.
    public let outcome: NetworkOutcome

    /// How many exchanges it made; 0 if nothing was sent, or if it waited for another call's.
    public let attempts: Int

    /// How long it took in all.
    public let duration: Duration
}

extension CallRecord: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        "\(method) \(url.map { "\($0)" } ?? "without a URL") ends: \(outcome), "
            + "\(attempts) attempts, \(duration.wholeMilliseconds) ms"
    }
}
