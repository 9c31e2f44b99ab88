import FoundationEssentials
import MastheadLock

/// Where a repository's events come from.
final class EventSource: Sendable {
    private static let calls = Lock(0)

    fileprivate let observer: any NetworkObserver
    fileprivate let redaction: Redaction
    fileprivate let time: any TimeSource

    /// Makes a source, unless the configuration has no observer.
    init?(_ configuration: NetworkingConfiguration) {
        guard let observer = configuration.observer else { return nil }
        self.observer = observer
        redaction = Redaction(configuration)
        time = configuration.time
    }

    /// Begins to tell of a call.
    func call(_ method: HTTPMethod) -> CallObservation {
        let number = Self.calls.withLock { count in
            count += 1
            return count
        }
        return CallObservation(number, method, self)
    }
}

/// Tells the observer what one call does.
final class CallObservation: Sendable {
    private struct State {
        var url: RedactedURL?
        var trace: TraceContext?
        var hasStarted = false
        var attempts = 0
    }

    /// The call's number.
    let number: Int

    private let method: HTTPMethod
    private let source: EventSource
    private let start: Duration
    private let state = Lock(State())

    fileprivate init(_ number: Int, _ method: HTTPMethod, _ source: EventSource) {
        self.number = number
        self.method = method
        self.source = source
        start = source.time.now
    }

    /// Tells that the call starts, now that it is known where it goes.
    func starts(at url: URL?, in trace: TraceContext?) {
        let url = url.map { RedactedURL($0, source.redaction) }
        state.withLock { state in
            state.url = url
            state.trace = trace
            state.hasStarted = true
        }
        tell(.callStarted(method: method, url: url), at: start, in: trace)
    }

    /// Tells that the call is over.
    func ends(_ outcome: NetworkOutcome) {
        if !state.withLock({ $0.hasStarted }) { starts(at: nil, in: nil) }
        let now = source.time.now
        let state = state.withLock { $0 }
        let record = CallRecord(
            method: method,
            url: state.url,
            outcome: outcome,
            attempts: state.attempts,
            duration: now - start
        )
        tell(.callFinished(record), at: now, in: state.trace)
    }

    /// Tells that a request is handed over.
    ///
    /// - Returns: What to end it with.
    func attemptStarts(_ request: HTTPRequest, in trace: TraceContext?) -> Attempt {
        let number = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        let url = RedactedURL(request.url, source.redaction)
        let now = source.time.now
        tell(.attemptStarted(number: number, method: request.method, url: url), at: now, in: trace)
        return Attempt(number: number, method: request.method, url: url, trace: trace, start: now)
    }

    /// Tells what an attempt came to.
    func ends(_ attempt: Attempt, with outcome: Result<HTTPResponse, RepositoryError>) {
        let now = source.time.now
        let record = ExchangeRecord(
            attempt: attempt.number,
            method: attempt.method,
            url: attempt.url,
            outcome: NetworkOutcome(outcome),
            duration: now - attempt.start,
            metrics: (try? outcome.get())?.metrics
        )
        tell(.attemptFinished(record), at: now, in: attempt.trace)
    }

    /// Tells that a request is sent again.
    func retries(after outcome: Result<HTTPResponse, RepositoryError>, in wait: Duration) {
        tell(.retrying(after: NetworkOutcome(outcome), wait: wait))
    }

    /// Tells that a redirect is followed.
    func redirects(with status: Int, to url: URL) {
        tell(.redirected(status: status, to: RedactedURL(url, source.redaction)))
    }

    /// Tells of anything else.
    func tell(_ kind: NetworkEvent.Kind) {
        tell(kind, at: source.time.now, in: state.withLock { $0.trace })
    }

    private func tell(_ kind: NetworkEvent.Kind, at moment: Duration, in trace: TraceContext?) {
        source.observer.observe(NetworkEvent(call: number, time: moment, trace: trace, kind: kind))
    }

    /// An attempt under way.
    struct Attempt: Sendable {
        fileprivate let number: Int
        fileprivate let method: HTTPMethod
        fileprivate let url: RedactedURL
        fileprivate let trace: TraceContext?
        fileprivate let start: Duration
    }
}
