/// What to do about a write that failed.
enum OutboxVerdict: Sendable, Hashable {
    /// Send it again: after the time that the server asked for, if it did.
    case again(asked: Duration?)

    /// The same, but nobody was reached: no other write will fare better.
    case offline(asked: Duration?)

    /// It would fail again: set it aside.
    case park

    /// It is no fault of the write's: send nothing more.
    case stop

    /// Judges a failure.
    init(_ error: RepositoryError, at time: any TimeSource) {
        switch error {
        case .cancelled, .unauthenticatedSession, .invalidConfiguration: self = .stop
        case .requestError(let refusal):
            let asked = refusal.headers["Retry-After"].flatMap { RetryAfter.delay(of: $0, at: time.date) }
            self = asked != nil || Self.mayPass(refusal.status) ? .again(asked: asked) : .park
        case .noNetworkConnection, .dns, .refused, .proxy, .tls, .pinMismatch, .connectionLost, .timeout:
            self = .offline(asked: nil)
        case .circuitOpen(_, let wait): self = .offline(asked: wait)
        case .invalidURL, .invalidRequest, .tooManyRedirects, .bodyTooLarge, .bodyNotReplayable: self = .park
        default: self = .again(asked: nil)
        }
    }

    /// Whether a status says "not now" rather than "not this".
    private static func mayPass(_ status: Int) -> Bool {
        switch status {
        case 407, 408, 425, 429: true
        case 501, 505: false
        default: status >= 500
        }
    }
}
