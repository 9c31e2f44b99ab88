/// Decides, after each answer of a polling call, whether to ask again and when.
///
/// Only 202 (RFC 9110, section 15.3.3) is asked again. `Retry-After` (section 10.2.3) wins over the configured pause;
/// one that is no date and no number is passed over, one in the past asks again at once, and none makes a call wait
/// longer than ``longestWait``.
package struct Polling: Sendable {
    /// The longest pause a server can ask for: after it we ask again, whatever the server said.
    package static let longestWait: Duration = .seconds(300)

    /// How many requests were answered so far.
    package private(set) var attempts = 0

    private let maximumRetries: Int
    private let pause: Duration

    package init(_ configuration: NetworkingConfiguration) {
        maximumRetries = configuration.maximumPollingRetries
        pause = configuration.secondsBetweenPolls
    }

    /// How long to wait before the next request; `nil` if the answer is final.
    ///
    /// - Throws: ``RepositoryError/pollingLimit(attempts:)`` when the answer is not final and no request is left.
    package mutating func wait(
        after response: HTTPResponse,
        on time: any TimeSource
    ) throws(RepositoryError) -> Duration? {
        attempts += 1
        guard response.status == 202 else { return nil }
        guard attempts <= maximumRetries else { throw .pollingLimit(attempts: attempts) }
        let asked = response.headers["Retry-After"].flatMap { RetryAfter.delay(of: $0, at: time.date) }
        return asked.map { min(max($0, .zero), Self.longestWait) } ?? pause
    }
}
