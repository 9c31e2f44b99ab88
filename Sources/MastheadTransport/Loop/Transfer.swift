import CMastheadCurl
import FoundationEssentials

/// One exchange on its way: the request, libcurl's handle while it has one, and what has arrived.
final class Transfer: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: only the thread that has the loop's transfers touches what varies, but `phase`,
    // which is touched under the loop's lock alone.

    /// How far it is between the caller and the loop.
    enum Phase {
        case new
        case submitted
        case cancelledBeforeSubmission
    }

    typealias Outcome = Result<ReceivedAnswer, TransportError>

    let id: UInt64
    let request: TransportRequest
    let origin: Origin
    let clock: any TransportClock
    let delivery: Delivery
    let deadline: Duration?
    let queueDeadline: Duration?
    let submission: Duration?

    var phase = Phase.new
    var continuation: CheckedContinuation<Outcome, Never>?

    private(set) var handle: EasyHandle?
    var attempt: Attempt
    /// The proxy it goes through.
    private(set) var proxy: TransportRoute.Proxy?
    private var sink: (any BodySink)?
    private var source: (any BodySource)?
    private(set) var start: Duration?
    private var lastActivity = Duration.zero
    private(set) var pass: LoopPass?
    private var lastPass: UInt64 = 0
    /// Whether it waits for whoever takes the answer's body or gives the request's.
    private(set) var isResting = false
    /// Whether this is the second attempt.
    private(set) var isRetry = false
    /// What it may share with those before it.
    private var freshness = EasyHandle.Freshness.any
    /// When it was sent, if nothing else was under way then.
    var sentAt: Duration?
    /// The number of the pins that it was begun again for.
    var refusedGeneration: UInt64?

    init(
        id: UInt64,
        request: consuming TransportRequest,
        delivery: Delivery,
        clock: any TransportClock
    ) throws(TransportError) {
        let known = request.origin
        let url = request.url
        guard let origin = known ?? Origin(url: url) else { throw .invalidURL("not an absolute http or https URL") }
        self.id = id
        self.origin = origin
        attempt = Attempt(isSecure: origin.isSecure)
        self.delivery = delivery
        self.clock = clock
        let limits = request.limits
        // Without a limit or an observer the clock is not even read.
        let mustKnow = limits.totalTimeout != nil || limits.queueTimeout != nil || request.onMetrics != nil
        let now = mustKnow ? clock.now : nil
        submission = now
        deadline = now.flatMap { now in limits.totalTimeout.map { now + $0 } }
        queueDeadline = now.flatMap { now in limits.queueTimeout.map { now + $0 } }
        self.request = request
    }

    // MARK: Starting

    /// Sets a handle up for this exchange.
    func prepare(_ handle: EasyHandle, for loop: LoopKey, multiplexes: Bool?, pass: LoopPass) throws(TransportError) {
        self.handle = handle
        self.pass = pass
        // The first one is there already.
        if start != nil { attempt = Attempt(isSecure: origin.isSecure) }
        attempt.era = pass.renewals.era(of: origin)
        proxy = loop.route.proxy
        sink = delivery.makeSink(limit: request.limits.maximumBodySize)
        source = request.body?.makeSource()
        isResting = false
        sentAt = nil
        lastActivity = clock.now
        start = lastActivity
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.setUp(
            for: request,
            on: loop,
            isSecure: origin.isSecure,
            multiplexes: multiplexes,
            freshness: freshness,
            era: attempt.era,
            wantsRemarks: !request.isIdempotent,
            context: context
        )
    }

    /// Gives the handle back.
    func releaseHandle() -> EasyHandle? {
        defer { handle = nil }
        return handle
    }

    /// Goes on after a rest.
    func resume() {
        guard isResting, let handle else { return }
        isResting = false
        lastActivity = clock.now
        handle.resume()
    }

    /// Whether the request is being sent, or was, on a connection that an earlier exchange made.
    var isOnKeptConnection: Bool { attempt.sends > 0 && isReused }

    // MARK: Deadlines

    /// The time until the next deadline, zero or less if one has passed, and which it is; at `moment`, or else now.
    func nextDeadline(at moment: Duration? = nil) -> (remaining: Duration, error: TransportError) {
        let now = moment ?? clock.now
        var next = (remaining: Duration.seconds(3600), error: TransportError.totalTimeout)
        if let deadline { next.remaining = deadline - now }
        if handle == nil {
            // One that was begun before waits for no place.
            if start == nil, let queueDeadline, queueDeadline - now < next.remaining {
                return (queueDeadline - now, .queueTimeout)
            }
            return next
        }
        let patience = isAnswered ? min(Self.patience, request.limits.idleTimeout) : request.limits.idleTimeout
        // Who takes or gives a body may take his time: the connection is not idle for the server's sake.
        let idle = isResting ? next.remaining : lastActivity + patience - now
        return idle < next.remaining ? (idle, .idleTimeout) : next
    }

    // MARK: Ending

    /// What the exchange ended in; `nil` if it must be sent again, on a fresh connection.
    func outcome(of code: CURLcode) -> Outcome? {
        guard let handle else { return .failure(.connectionLost(mayHaveBeenProcessed: attempt.sends > 0)) }
        // A server may answer before it has read the request's body, and then want no more of it (RFC 9113, section 8.1).
        let isWhole =
            code == CURLE_OK || CurlFailure.isOfConnection(code) && attempt.head.contentLength == attempt.received
        if attempt.abort == nil, attempt.head.isComplete, isWhole {
            if attempt.isCutOff {
                return .failure(.incompleteBody(received: attempt.received, expected: nil))
            }
            do throws(TransportError) {
                return .success(try answer(from: handle))
            } catch {
                return .failure(error)
            }
        }
        if case .pinMismatch = attempt.abort, let refusal = attempt.refusal, asksAgain(after: refusal) {
            isRetry = true
            freshness = attempt.isRefusedAmongOthers ? .any : .session
            return nil
        }
        if attempt.abort == nil, attempt.sends == 0 {
            if let failure = attempt.judge?.failure {
                if let refusal = attempt.judge?.refusal { pass?.trust.report(refusal) }
                return .failure(failure)
            }
            if let address = attempt.forbiddenAddress { return .failure(Self.publicAddress(address)) }
        }
        // To libcurl a head that ends with its connection is whole.
        let error =
            attempt.abort
            ?? (code == CURLE_OK ? .connectionLost(mayHaveBeenProcessed: true) : failure(of: code, handle))
        guard case .connectionLost = error else { return .failure(error) }
        let loss = loss(code, handle)
        let hasBody = attempt.sent == 0 || request.body?.isReplayable ?? true
        guard !isRetry, hasBody, loss.mayBeSentAgain(isIdempotent: request.isIdempotent) else {
            return .failure(.connectionLost(mayHaveBeenProcessed: loss.fate == .unknown))
        }
        isRetry = true
        if loss.fate != .refused { freshness = .connection }
        return nil
    }

    /// Hands over what it ended in, exactly once; its file may be another's from then on.
    func finish(_ outcome: Outcome) {
        (source, sink) = (nil, nil)
        if case .stream(let pipe, _) = request.body { pipe.close() }
        let continuation = continuation
        self.continuation = nil
        continuation?.resume(returning: outcome)
        if case .channel(let channel) = delivery { channel.finish(outcome.map { _ in }) }
    }

    private func answer(from handle: EasyHandle) throws(TransportError) -> ReceivedAnswer {
        let head = receivedHead(handle)
        pass?.kept.note(handle.keptSocket, attempt.ends ?? handle.ends, isExclusive: head.version == .http1)
        return ReceivedAnswer(head: head, body: try sink?.end() ?? Data())
    }

    private func receivedHead(_ handle: EasyHandle) -> ReceivedHead {
        ReceivedHead(
            status: handle.number(CURLINFO_RESPONSE_CODE),
            lines: attempt.head.lines,
            version: handle.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0 ? .http2 : .http1
        )
    }

    // MARK: What the callbacks do

    /// Notes that something moved.
    ///
    /// All that moves in one pass moves at one time, so the clock is read once for it.
    func noteActivity() {
        guard let pass, pass.number != lastPass else { return }
        lastPass = pass.number
        lastActivity = clock.now
    }

    /// Takes a line of a head, or of trailers; `false` stops the exchange.
    func receive(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        noteActivity()
        return unlessFailed { () throws(TransportError) in
            guard try attempt.head.receive(line, limit: request.limits.maximumHeadSize), let handle else { return }
            try checkProxy(handle)
            watchEnd(handle)
            if isAnswered { pass?.transfers?.note(deadlineOf: self) }
            // libcurl sends nothing more after a refusal, but while it waits for more to send it doesn't notice.
            if case .stream(let pipe, _) = request.body, handle.number(CURLINFO_RESPONSE_CODE) >= 300 { pipe.refuse() }
            switch delivery {
            case .whole: break
            case .file: try sink?.begin(receivedHead(handle))
            case .channel:
                let continuation = continuation
                self.continuation = nil
                continuation?.resume(returning: .success(ReceivedAnswer(head: receivedHead(handle), body: Data())))
            }
        }
    }

    /// Takes a piece of the body.
    func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
        noteActivity()
        var isTaken = true
        let isRight = unlessFailed { () throws(TransportError) in
            isTaken = try sink?.take(bytes, expected: attempt.head.contentLength ?? 0) ?? true
        }
        guard isRight else { return .refused }
        guard isTaken else {
            isResting = true
            return .later
        }
        attempt.received += bytes.count
        if isAnswered { pass?.transfers?.note(deadlineOf: self) }
        return .taken
    }

    /// Puts what has arrived of the body where it belongs; says what the exchange ends with if that failed.
    func flush() -> TransportError? {
        unlessFailed { () throws(TransportError) in try sink?.flush() } ? nil : attempt.abort
    }

    /// Gives a piece of the request's body.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        noteActivity()
        var reading = BodyReading.end
        let isRight = unlessFailed { () throws(TransportError) in reading = try source?.read(into: buffer) ?? .end }
        guard isRight else { return Int(CURL_READFUNC_ABORT) }
        switch reading {
        case .end: return 0
        case .nothingYet:
            isResting = true
            return Int(CURL_READFUNC_PAUSE)
        case .bytes(let count):
            attempt.sent += count
            request.onSent?(attempt.sent)
            return count
        }
    }

    /// Takes in what libcurl says besides.
    func hear(_ remark: StreamRemark) {
        switch remark {
        case .stream(let number): attempt.stream = number
        case .lastServed(let number): attempt.lastServedStream = number
        }
    }

    private func unlessFailed(_ body: () throws(TransportError) -> Void) -> Bool {
        do throws(TransportError) {
            try body()
            return true
        } catch {
            attempt.abort = error
            return false
        }
    }
}
