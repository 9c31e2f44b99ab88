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
    let decoding: ResponseDecoding
    let log: ExchangeLog?
    private let events: EventSource?
    let coalescer: RequestCoalescer?

    /// Whether a budget or a circuit wants to know where a request goes.
    let isGuarded: Bool

    // Asked for each call, and what they stand for would be copied to see that it is there.
    let hasSession: Bool
    let intercepts: Bool
    let signs: Bool
    let traces: Bool

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
        hasSession = session != nil
        intercepts = configuration.interceptor != nil
        signs = configuration.signer != nil
        traces = configuration.tracing != nil
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
        var output: Output?
        do throws(RepositoryError) {
            try await call(
                CallOptions(request, polls: polls, model: model, needsBody: needsBody),
                make: { (base) throws(RepositoryError) in
                    try configuration.makeHTTPRequest(
                        from: request,
                        below: base,
                        repositoryHeaders: repositoryHeaders,
                        plainHeaders: plainHeaders,
                        delivery: delivery
                    )
                },
                prepare: prepare,
                take: { (response) throws(RepositoryError) in output = try finish(response) }
            )
            // Taken out, since it would be copied otherwise. A call that ends well has taken an answer.
            guard let output = output.take() else { throw .cancelled }
            return .success(output)
        } catch {
            return .failure(error)
        }
    }

    /// Makes one call of any type.
    ///
    /// - Parameters:
    ///   - options: What is wanted.
    ///   - make: Makes the request below a base.
    ///   - prepare: The repository's own change to each request.
    ///   - take: Takes an answer that was accepted.
    /// - Throws: Why nothing was taken, or what was taken does not count; the logger and the observer were told.
    private func call(
        _ options: CallOptions,
        make: (BaseURL) throws(RepositoryError) -> HTTPRequest,
        prepare: Prepare,
        take: (consuming HTTPResponse) throws(RepositoryError) -> Void
    ) async throws(RepositoryError) {
        configuration.activity?.begin()
        defer { configuration.activity?.end() }
        let start = events?.now ?? .zero
        let request: HTTPRequest
        let deadline: Deadline
        do throws(RepositoryError) {
            let base = try base.get()
            deadline = Deadline(after: options.timeout ?? configuration.totalTimeout, on: configuration.time)
            try deadline.check()
            request = try make(base)
        } catch {
            log?.failed(nil, with: error)
            events?.call(options.method, nil, in: nil, since: start).ends(NetworkOutcome(error))
            throw error
        }
        let trace = traces ? configuration.trace(of: request) : nil
        let observation = events?.call(request.method, request.url, in: trace, since: start)
        do throws(RepositoryError) {
            let binding = hasSession ? try binding(of: options) : nil
            var context = CallContext(deadline: deadline, binding: binding, observation: observation, trace: trace)
            context.caching = cache == nil ? nil : caching(of: options)
            let status = try await answer(to: request, options, in: &context, prepare: prepare, take: take)
            try binding?.check()
            observation?.ends(.answered(status: status))
        } catch {
            log?.failed(request, with: error)
            observation?.ends(NetworkOutcome(error))
            throw error
        }
    }

    /// Asks until an answer was taken, or cannot be.
    ///
    /// - Returns: Its status.
    @inline(__always)
    private func answer(
        to template: HTTPRequest,
        _ options: CallOptions,
        in context: inout CallContext,
        prepare: Prepare,
        take: (consuming HTTPResponse) throws(RepositoryError) -> Void
    ) async throws(RepositoryError) -> Int {
        while true {
            let response: HTTPResponse
            do throws(RepositoryError) {
                response =
                    if options.polls {
                        try await poll(template, in: context, prepare: prepare)
                    } else {
                        try await exchange(template, in: context, prepare: prepare)
                    }
            } catch {
                // The hook hears of a body that never came whole, if a model was wanted of it.
                if let model = options.model { decoding.reportMissingBody(error, of: model) }
                throw error
            }
            let status = response.status
            // A copy for the cache alone.
            let kept = context.caching == nil ? nil : response
            do throws(RepositoryError) {
                try response.checkAccepted()
                try take(consume response)
                return status
            } catch {
                // What is kept and of no use any more must not stand in the way of what the server has.
                guard let kept, let again = try context.afterUselessAnswer(kept, error) else { throw error }
                context = again
            }
        }
    }

    /// Asks until the answer is no "not yet".
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
}
