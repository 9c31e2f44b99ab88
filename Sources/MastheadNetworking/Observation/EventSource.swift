import FoundationEssentials
import Synchronization

/// Where a repository's events come from.
final class EventSource: Sendable {
    private static let calls = Atomic(0)

    /// Tells the observer: as a closure, since an existential would be copied for each event.
    fileprivate let observe: @Sendable (NetworkEvent) -> Void
    fileprivate let redaction: Redaction
    private let time: any TimeSource

    /// Makes a source, unless the configuration has no observer.
    init?(_ configuration: NetworkingConfiguration) {
        guard let observer = configuration.observer else { return nil }
        observe = { observer.observe($0) }
        redaction = Redaction(configuration)
        time = configuration.time
    }

    /// Now, by the clock of the events.
    var now: Duration { time.now }

    /// Tells that a call starts.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: Where it goes; `nil` if no URL could be made.
    ///   - trace: The call's span.
    ///   - start: When it started.
    /// - Returns: What tells the rest.
    func call(_ method: HTTPMethod, _ url: URL?, in trace: TraceContext?, since start: Duration) -> CallObservation {
        let number = Self.calls.add(1, ordering: .relaxed).newValue
        let url = url.map { RedactedURL($0, redaction) }
        let call = CallObservation(number, method, url, trace, start, self)
        call.tell(.callStarted(method: method, url: url), at: start, in: trace)
        return call
    }
}

/// Tells the observer what one call does.
final class CallObservation: Sendable {
    /// The call's number.
    let number: Int

    private let method: HTTPMethod
    private let url: RedactedURL?
    private let trace: TraceContext?
    private let start: Duration
    private let source: EventSource
    private let attempts = Atomic(0)

    fileprivate init(
        _ number: Int,
        _ method: HTTPMethod,
        _ url: RedactedURL?,
        _ trace: TraceContext?,
        _ start: Duration,
        _ source: EventSource
    ) {
        self.number = number
        self.method = method
        self.url = url
        self.trace = trace
        self.start = start
        self.source = source
    }

    /// Tells that the call is over.
    func ends(_ outcome: NetworkOutcome) {
        let now = source.now
        // Made where it goes: a record with a name would be copied.
        tell(
            .callFinished(
                CallRecord(
                    method: method,
                    url: url,
                    outcome: outcome,
                    attempts: attempts.load(ordering: .relaxed),
                    duration: now - start
                )
            ),
            at: now,
            in: trace
        )
    }

    /// Tells that a request is handed over, and has its exchange measured.
    ///
    /// - Returns: What to end it with.
    func attemptStarts(_ request: inout HTTPRequest, in trace: TraceContext?) -> Attempt {
        let number = attempts.add(1, ordering: .relaxed).newValue
        let url = RedactedURL(request.url, source.redaction)
        let now = source.now
        tell(.attemptStarted(number: number, method: request.method, url: url), at: now, in: trace)
        request.metricsReport = MetricsReport()
        return Attempt(number: number, start: now)
    }

    /// Tells what an attempt came to.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - request: What was sent.
    ///   - trace: The attempt's span.
    ///   - outcome: What it came to.
    ///   - report: What its executor measured by itself; `nil` to take what was reported.
    func ends(
        _ attempt: Attempt,
        of request: HTTPRequest,
        in trace: TraceContext?,
        with outcome: NetworkOutcome,
        report: MetricsReport? = nil
    ) {
        let now = source.now
        tell(
            .attemptFinished(
                ExchangeRecord(
                    attempt: attempt.number,
                    method: request.method,
                    url: RedactedURL(request.url, source.redaction),
                    outcome: outcome,
                    duration: now - attempt.start,
                    report: report ?? request.metricsReport
                )
            ),
            at: now,
            in: trace
        )
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
    func tell(_ kind: consuming NetworkEvent.Kind) {
        tell(kind, at: source.now, in: trace)
    }

    fileprivate func tell(_ kind: consuming NetworkEvent.Kind, at moment: Duration, in trace: TraceContext?) {
        source.observe(NetworkEvent(call: number, time: moment, trace: trace, kind: kind))
    }

    /// An attempt under way.
    struct Attempt: Sendable {
        fileprivate let number: Int
        fileprivate let start: Duration
    }
}
