package import FoundationEssentials

/// Decides, after each attempt of an exchange, whether to make another and when: ``RetryPolicy`` at work.
package struct RetryPlan: Sendable {
    /// The longest wait a server can ask for: beyond it the answer is final.
    package static let longestWait: Duration = .seconds(300)

    /// How many times something was sent again so far.
    package private(set) var retries = 0

    private let policy: RetryPolicy

    /// Makes a plan for one exchange; `nil` if its policy sends nothing again.
    package init?(_ policy: RetryPolicy) {
        guard policy.maximumAttempts > 1 else { return nil }
        self.policy = policy
    }

    /// Judges an attempt: how long to wait before the next one, `nil` if what happened is final.
    ///
    /// - Parameters:
    ///   - outcome: What the attempt came to.
    ///   - request: What was sent.
    ///   - date: Now, on the wall clock; read only for a `Retry-After`.
    ///   - fraction: A random number of at least 0 and below 1; asked only for a wait of our own choosing.
    /// - Returns: The wait; zero to go on at once.
    package mutating func wait(
        after outcome: Result<HTTPResponse, RepositoryError>,
        to request: HTTPRequest,
        at date: @autoclosure () -> Date,
        fraction: () -> Double
    ) -> Duration? {
        guard retries + 1 < policy.maximumAttempts, mayRepeat(request, after: outcome) else { return nil }
        // Enough doublings to reach any limit, and too few to overflow.
        let ceiling = min(policy.baseDelay * (1 << min(retries, 32)), policy.maximumDelay)
        retries += 1
        if case .success(let response) = outcome, let asked = response.retryAfter(at: date()) {
            return asked <= Self.longestWait ? asked : nil
        }
        return ceiling * fraction()
    }

    private func mayRepeat(_ request: HTTPRequest, after outcome: Result<HTTPResponse, RepositoryError>) -> Bool {
        guard request.body?.isReplayable ?? true else { return false }
        return switch outcome {
        case .success(let response): policy.statuses.contains(response.status) && isSafeTwice(request)
        case .failure(.noNetworkConnection), .failure(.dns), .failure(.refused), .failure(.tls),
            .failure(.timeout(.connect)), .failure(.connectionLost(mayHaveBeenProcessed: false)):
            true
        case .failure(.connectionLost), .failure(.incompleteBody), .failure(.corruptBody), .failure(.timeout(.idle)):
            isSafeTwice(request)
        default: false
        }
    }

    /// Whether a server that acted on the request may get it again.
    private func isSafeTwice(_ request: HTTPRequest) -> Bool {
        request.method.isIdempotent || request.headers[policy.idempotencyKeyHeader].map { !$0.isEmpty } == true
    }
}

extension HTTPMethod {
    /// Whether doing it twice is the same as doing it once (RFC 9110, section 9.2.2); of an unknown one nobody knows.
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue)
    }
}

extension HTTPResponse {
    /// How long the server wants to be left alone; `nil` if it does not say, or says it in no form there is.
    func retryAfter(at date: @autoclosure () -> Date) -> Duration? {
        headers["Retry-After"].flatMap { RetryAfter.delay(of: $0, at: date()) }
    }
}
