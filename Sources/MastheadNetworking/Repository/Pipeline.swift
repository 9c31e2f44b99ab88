import FoundationEssentials

/// The one way every call takes: decoded, raw and polling calls alike.
///
/// Validity → request → `prepare` → interceptor → session → redirects → attempts → executor; then polls → status → what
/// the caller makes of the answer. The decisions are values of their own (``RedirectPolicy``, ``RetryPlan``, ``Polling``,
/// ``Deadline``); this runs them.
struct Pipeline: Sendable {
    typealias Prepare = @Sendable (inout HTTPRequest) throws(RepositoryError) -> Void

    let configuration: NetworkingConfiguration
    let repositoryHeaders: HTTPHeaders
    let executor: any RequestExecutor

    /// Whose token the requests carry; `nil` for nobody's.
    let session: (any RepositorySession)?

    /// Where answers are kept, and what is wanted of it by default; `nil` for nowhere.
    let cache: ModelCache?
    let cachePolicy: CachePolicy

    /// What stands for the environment in the cache; `nil` without one.
    let environment: String?

    /// The fields whose values tell the answers of one from those of another.
    let secretFields: Set<String>

    /// What tells which fields of an answer hold a secret; `nil` without a cache.
    let redaction: Redaction?

    /// The base of every URL, or what is wrong with the configuration: found out once, since it never changes.
    private let base: Result<BaseURL, RepositoryError>
    /// The fields of a request that has none of its own; `nil` if they are impossible.
    private let plainHeaders: HTTPHeaders?
    private let decoding: ResponseDecoding
    let log: ExchangeLog?
    private let events: EventSource?
    let coalescer: RequestCoalescer?

    /// Whether a budget or a circuit wants to know where a request goes.
    let isGuarded: Bool

    /// The configured origin, and what a URL there starts with.
    let home: (start: String, origin: Origin)?

    init(
        configuration: NetworkingConfiguration,
        session: (any RepositorySession)?,
        cache: ModelCache? = nil,
        cachePolicy: CachePolicy = .standard,
        repositoryHeaders: HTTPHeaders,
        executor: any RequestExecutor
    ) {
        var configuration = configuration
        let validity = Result { () throws(RepositoryError) in try configuration.validTrust() }
        // Made once: it may read files, and every request compares it.
        configuration.trust = try? validity.get()
        configuration.wire = Wire(configuration)
        self.configuration = configuration
        self.session = session
        self.cache = cache
        self.cachePolicy = cachePolicy
        // Not those that are new for each request.
        secretFields = Set(
            configuration.secretHeaders.map { $0.lowercased() } + [configuration.authorization.field.lowercased()]
        )
        .subtracting(["x-serial-nonce", "x-serial-md5", "signature", "signature-input"])
        redaction = cache == nil ? nil : Redaction(configuration)
        self.repositoryHeaders = repositoryHeaders
        self.executor = executor
        decoding = ResponseDecoding(
            configuration.decoder,
            configuration.decoding,
            report: configuration.onDecodingFailure
        )
        log = ExchangeLog(configuration)
        events = EventSource(configuration)
        coalescer = configuration.coalescesIdenticalRequests || cache != nil ? RequestCoalescer() : nil
        isGuarded = configuration.retry.maximumAttempts > 1 || configuration.circuitBreaker != nil
        plainHeaders = try? configuration.headers(of: [:], repositoryHeaders, body: nil)
        do throws(RepositoryError) {
            _ = try validity.get()
            let base = try BaseURL(configuration)
            home = (base.origin + "/", try Origin(URLReference(base.origin)))
            self.base = .success(base)
            environment = cache == nil ? nil : CacheFileName.environment(of: base)
        } catch {
            home = nil
            environment = nil
            base = .failure(error)
        }
        for warning in configuration.trustWarnings() { log?.warned(of: warning) }
    }

    /// Makes one call, off the caller's actor.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - polls: Whether a 202 is asked again.
    ///   - model: What the answer is decoded to; `nil` if it is not.
    ///   - needsBody: Whether the body is wanted as it came.
    ///   - delivery: How the body is wanted.
    ///   - prepare: The repository's own change to each request.
    ///   - finish: Makes the result of an answer that was accepted.
    /// - Returns: The result, or what kept it from coming; a failure was told to the logger.
    @concurrent
    func run<Value, Output: Sendable>(
        _ request: Request<Value>,
        polls: Bool,
        model: Any.Type? = nil,
        needsBody: Bool = false,
        delivery: BodyDelivery = .whole,
        prepare: Prepare,
        finish: @Sendable (consuming HTTPResponse) throws(RepositoryError) -> Output
    ) async -> Result<Output, RepositoryError> {
        configuration.activity?.begin()
        defer { configuration.activity?.end() }
        let start = events?.now ?? .zero
        var observation: CallObservation?
        var template: HTTPRequest?
        do throws(RepositoryError) {
            let base = try base.get()
            let deadline = Deadline(after: request.timeout ?? configuration.totalTimeout, on: configuration.time)
            try deadline.check()
            let outgoing = try configuration.makeHTTPRequest(
                from: request,
                below: base,
                repositoryHeaders: repositoryHeaders,
                plainHeaders: plainHeaders,
                delivery: delivery
            )
            // A copy for the log alone.
            if log != nil { template = outgoing }
            let trace = configuration.trace(of: outgoing)
            observation = events?.call(outgoing.method, outgoing.url, in: trace, since: start)
            let binding = session == nil ? nil : try binding(of: request)
            var context = CallContext(deadline: deadline, binding: binding, observation: observation, trace: trace)
            context.caching = caching(of: request, as: model, needsBody: needsBody)
            let output: Output
            let response = try await answer(to: outgoing, polls: polls, as: model, in: context, prepare: prepare)
            var status = response.status
            // A copy for the cache alone.
            let kept = context.caching == nil ? nil : response
            do throws(RepositoryError) {
                try response.checkAccepted()
                output = try finish(response)
            } catch {
                // What is kept and of no use any more must not stand in the way of what the server has.
                guard let kept, let again = try context.afterUselessAnswer(kept, error) else { throw error }
                context = again
                let response = try await answer(to: outgoing, polls: polls, as: model, in: context, prepare: prepare)
                status = response.status
                try response.checkAccepted()
                output = try finish(response)
            }
            try binding?.check()
            observation?.ends(.answered(status: status))
            return .success(output)
        } catch {
            log?.failed(template, with: error)
            let call = observation ?? events?.call(request.method, nil, in: nil, since: start)
            call?.ends(NetworkOutcome(error))
            return .failure(error)
        }
    }

    /// Asks until the answer is no "not yet"; tells the hook of a body that never came whole, if a model was wanted of it.
    private func answer(
        to template: HTTPRequest,
        polls: Bool,
        as model: Any.Type?,
        in context: CallContext,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        do throws(RepositoryError) {
            guard polls else { return try await exchange(template, in: context, prepare: prepare) }
            return try await poll(template, in: context, prepare: prepare)
        } catch {
            if let model { decoding.reportMissingBody(error, of: model) }
            throw error
        }
    }

    private func poll(
        _ template: HTTPRequest,
        in context: CallContext,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        var polling = Polling(configuration)
        while true {
            let response = try await exchange(template, in: context, prepare: prepare)
            guard let wait = try polling.wait(after: response, on: configuration.time) else { return response }
            context.observation?.tell(.polling(wait: wait))
            try await context.deadline.sleep(for: wait)
        }
    }

    /// Prepares the request, has it answered, and shows both ends to the interceptor.
    private func exchange(
        _ template: HTTPRequest,
        in context: CallContext,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        var request = template
        try prepare(&request)
        if configuration.interceptor != nil, let interceptor = configuration.interceptor {
            do throws(RepositoryError) {
                try await interceptor.willSend(&request)
            } catch {
                // Whatever a cancelled task says it failed of.
                throw Task.isCancelled ? .cancelled : error
            }
        }
        // Both may have changed it: nothing that breaks the request line or a header goes out.
        try request.checkSendable(unless: template)
        let response: HTTPResponse
        if let binding = context.binding {
            response = try await answer(to: request, for: binding, in: context)
        } else if let coalescer, let identity = RequestIdentity(request, caching: context.caching?.identity) {
            response = try await share(request, identity, through: coalescer, in: context)
        } else {
            response = try await follow(request, in: context)
        }
        context.caching?.tag(response)
        if configuration.interceptor != nil, let interceptor = configuration.interceptor {
            await interceptor.didReceive(response, for: request)
            try context.deadline.check()
        }
        return response
    }

    /// Makes the exchange together with those calls that ask the same.
    func share(
        _ request: HTTPRequest,
        _ identity: RequestIdentity,
        through coalescer: RequestCoalescer,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        var shared = request
        // Each of those who wait has a deadline of its own.
        shared.timeout = nil
        var common = context
        common.deadline = Deadline(after: nil, on: configuration.time)
        let outcome = await coalescer.outcome(
            of: identity,
            priority: request.priority,
            by: context.deadline.moment(atMost: request.timeout),
            on: configuration.time,
            caller: context.observation?.number ?? 0,
            whenJoined: { context.observation?.tell(.coalesced(with: $0)) },
            work: { [self, shared, common] in
                do throws(RepositoryError) {
                    return .success(try await follow(shared, in: common))
                } catch {
                    return .failure(error)
                }
            }
        )
        try context.deadline.check(timeout: false)
        do throws(RepositoryError) {
            return try outcome.get()
        } catch {
            if let response = await kept(insteadOf: error, for: request, in: context) { return response }
            throw error
        }
    }

    /// Sends the request, and what its redirects ask for, until an answer is no redirect to follow.
    func follow(_ request: HTTPRequest, in context: CallContext) async throws(RepositoryError) -> HTTPResponse {
        var context = context
        context.trace = configuration.trace(of: request, in: context.trace)
        if configuration.signer != nil { context.isSigned = try isAtHome(request) }
        // Most answers are no redirects.
        var policy: RedirectPolicy?
        var plan = RetryPlan(configuration.retry)
        var hop = request
        while true {
            let response =
                if context.caching == nil {
                    try await attempt(&hop, atMost: hop.timeout, in: context, &plan).answering(hop, decodedBy: decoding)
                } else {
                    try await fetch(&hop, in: context, &plan).answering(hop, decodedBy: decoding)
                }
            guard RedirectPolicy.isRedirect(response) else { return response }
            var decided = policy ?? RedirectPolicy(configuration)
            guard var next = try decided.next(after: response, to: hop) else { return response }
            policy = decided
            configuration.endTrace(of: &next, from: hop, in: &context)
            if context.isSigned { context.isSigned = try isAtHome(next) }
            context.observation?.redirects(with: response.status, to: next.url)
            // The least a redirecting server asks for (RFC 9110, section 10.2.3).
            if let wait = response.retryAfter(at: configuration.time.date) {
                try await context.deadline.sleep(for: min(wait, RetryPlan.longestWait))
            }
            hop = next
        }
    }
}
