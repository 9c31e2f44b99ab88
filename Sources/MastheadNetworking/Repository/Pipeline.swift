/// The one way every call takes: decoded, raw and polling calls alike.
///
/// Validity → request → `prepare` → interceptor → redirects → attempts → executor; then polls → status → what the caller
/// makes of the answer. The decisions are values of their own (``RedirectPolicy``, ``RetryPlan``, ``Polling``,
/// ``Deadline``); this runs them.
struct Pipeline: Sendable {
    typealias Prepare = @Sendable (inout HTTPRequest) throws(RepositoryError) -> Void

    let configuration: NetworkingConfiguration
    let repositoryHeaders: HTTPHeaders
    let executor: any RequestExecutor

    /// The base of every URL, or what is wrong with the configuration: found out once, since it never changes.
    private let base: Result<BaseURL, RepositoryError>
    private let decoding: ResponseDecoding
    let log: ExchangeLog?

    /// Whether a budget or a circuit wants to know where a request goes.
    let isGuarded: Bool

    init(configuration: NetworkingConfiguration, repositoryHeaders: HTTPHeaders, executor: any RequestExecutor) {
        self.configuration = configuration
        self.repositoryHeaders = repositoryHeaders
        self.executor = executor
        decoding = ResponseDecoding(options: configuration.decoding, report: configuration.onDecodingFailure)
        log = ExchangeLog(configuration)
        isGuarded = configuration.retry.maximumAttempts > 1 || configuration.circuitBreaker != nil
        do throws(RepositoryError) {
            try configuration.validate()
            base = .success(try BaseURL(configuration))
        } catch {
            base = .failure(error)
        }
    }

    /// Makes one call, off the caller's actor.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - polls: Whether a 202 is asked again.
    ///   - model: What the answer is decoded to; `nil` if it is not.
    ///   - prepare: The repository's own change to each request.
    ///   - finish: Makes the result of an answer that was accepted.
    /// - Returns: The result, or what kept it from coming; a failure was told to the logger.
    @concurrent
    func run<Value, Output: Sendable>(
        _ request: Request<Value>,
        polls: Bool,
        model: Any.Type? = nil,
        prepare: Prepare,
        finish: @Sendable (HTTPResponse) throws(RepositoryError) -> Output
    ) async -> Result<Output, RepositoryError> {
        configuration.activity?.begin()
        defer { configuration.activity?.end() }
        var template: HTTPRequest?
        do throws(RepositoryError) {
            let base = try base.get()
            let deadline = Deadline(after: request.timeout ?? configuration.totalTimeout, on: configuration.time)
            try deadline.check()
            let made = try configuration.makeHTTPRequest(
                from: request,
                below: base,
                repositoryHeaders: repositoryHeaders
            )
            template = made
            let response = try await reporting(on: model) { () async throws(RepositoryError) in
                try await answer(to: made, polls: polls, by: deadline, prepare: prepare)
            }
            return .success(try finish(response.accepted()))
        } catch {
            log?.failed(template, with: error)
            return .failure(error)
        }
    }

    /// Tells the hook of a body that never came whole, if a model was wanted of it.
    private func reporting(
        on model: Any.Type?,
        _ work: () async throws(RepositoryError) -> HTTPResponse
    ) async throws(RepositoryError) -> HTTPResponse {
        do throws(RepositoryError) {
            return try await work()
        } catch {
            if let model { decoding.reportMissingBody(error, of: model) }
            throw error
        }
    }

    /// Asks until the answer is no "not yet".
    private func answer(
        to template: HTTPRequest,
        polls: Bool,
        by deadline: Deadline,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        var polling = Polling(configuration)
        while true {
            let response = try await exchange(template, by: deadline, prepare: prepare)
            guard polls, let wait = try polling.wait(after: response, on: configuration.time) else { return response }
            try await deadline.sleep(for: wait)
        }
    }

    /// Sends the request, follows its redirects, and shows both ends to the interceptor.
    private func exchange(
        _ template: HTTPRequest,
        by deadline: Deadline,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        var request = template
        try prepare(&request)
        if let interceptor = configuration.interceptor {
            do throws(RepositoryError) {
                try await interceptor.willSend(&request)
            } catch {
                // Whatever a cancelled task says it failed of.
                throw Task.isCancelled ? .cancelled : error
            }
        }
        // Both may have changed it: nothing that breaks the request line or a header goes out.
        try request.checkSendable(unless: template)
        let response = try await follow(request, by: deadline)
        if let interceptor = configuration.interceptor {
            await interceptor.didReceive(response, for: request)
            try deadline.check()
        }
        return response
    }

    /// Sends the request, and what its redirects ask for, until an answer is no redirect to follow.
    private func follow(_ request: HTTPRequest, by deadline: Deadline) async throws(RepositoryError) -> HTTPResponse {
        var policy = RedirectPolicy(configuration)
        var plan = RetryPlan(configuration.retry)
        var hop = request
        while true {
            var response = try await attempt(hop, by: deadline, &plan)
            response.url = hop.url
            response.decoding = decoding
            guard let next = try policy.next(after: response, to: hop) else { return response }
            // The least a redirecting server asks for (RFC 9110, section 10.2.3).
            if let wait = response.retryAfter(at: configuration.time.date) {
                try await deadline.sleep(for: min(wait, RetryPlan.longestWait))
            }
            hop = next
        }
    }
}
