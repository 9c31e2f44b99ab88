import FoundationEssentials
import MastheadTransport

extension Pipeline {
    /// What the cache has to do with a call; `nil` for nothing.
    func caching(of call: CallOptions) -> CallCaching? {
        guard let cache, let environment else { return nil }
        let partition: CachePartition?
        let isForUser = session != nil && call.usesSession
        if isForUser {
            let user = session?.partition
            if user == nil { cache.letGo(of: environment) }
            partition = user.flatMap { cache.partition(environment, of: $0) }
        } else {
            partition = cache.partition(environment, of: nil)
        }
        guard let partition else { return nil }
        return CallCaching(
            partition: partition,
            policy: call.cachePolicy ?? cachePolicy,
            model: call.model,
            tags: call.cacheTags,
            tokenField: isForUser ? configuration.authorization.field : nil,
            secretFields: secretFields,
            redaction: partition.isSealed ? nil : redaction,
            needsBody: call.needsBody || configuration.interceptor != nil,
            invalidations: partition.invalidationCount
        )
    }

    /// Answers one request from the cache or from the server, as the policy and both of them say (RFC 9111, section 4).
    func lookUp(
        _ hop: inout HTTPRequest,
        in context: CallContext,
        _ state: inout HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        guard let caching = context.caching, hop.delivery == .whole || hop.delivery == .stream else {
            return try await attempt(&hop, in: context, &state)
        }
        let request = caching.view(of: hop)
        guard let target = request.key, let key = caching.entryKey(target, of: request) else {
            return try await attempt(&hop, in: context, &state)
        }
        let isRead = request.method == .get || request.method == .head
        let kept = isRead ? await caching.partition.answers(to: key, of: target, as: caching.model) : []
        var step = CacheStep(
            kept: kept,
            exchange: CacheExchange(request: request, policy: caching.policy, candidates: kept.map(\.answer)),
            key: key,
            caching: caching
        )
        let now = configuration.time.date
        var decision = step.exchange.decision(at: now)
        switch decision {
        case .fresh(let place):
            if let response = await step.response(of: place, to: hop, at: now) { return served(response, in: context) }
            decision = step.withoutAnything(at: now)
        // What comes piece by piece has nobody to read it behind the call.
        case .staleWhileRevalidate(let place, let validators) where hop.delivery == .stream:
            decision = .validate(candidate: place, adding: validators)
        case .staleWhileRevalidate(let place, _):
            if let response = await step.response(of: place, to: hop, at: now) {
                refresh(hop, step, in: context)
                return served(response, in: context)
            }
            decision = step.withoutAnything(at: now)
        default: break
        }
        switch decision {
        case .validate(_, let validators):
            return try await ask(&hop, step, adding: validators, in: context, &state)
        case .fetch, .bypass: return try await ask(&hop, step, adding: [:], in: context, &state)
        case .unsatisfiable, .fresh, .staleWhileRevalidate: throw .notCached
        }
    }

    /// Asks the server, and does with what is kept what the answer says.
    private func ask(
        _ hop: inout HTTPRequest,
        _ step: CacheStep,
        adding validators: HTTPHeaders,
        in context: CallContext,
        _ state: inout HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        var outgoing = hop
        for field in validators.lines { outgoing.headers[field.name] = field.value }
        let sent = configuration.time.date
        let response: HTTPResponse
        do throws(RepositoryError) {
            response = try await attempt(&outgoing, in: context, &state)
        } catch {
            hop.metricsReport = outgoing.metricsReport
            let now = configuration.time.date
            guard let failure = CacheFailure(error), !Task.isCancelled,
                let place = step.exchange.fallback(after: failure, at: now),
                let response = await step.response(of: place, to: hop, at: now)
            else { throw error }
            return served(response, in: context)
        }
        hop.metricsReport = outgoing.metricsReport
        // What comes after the session's end is kept for nobody.
        try context.binding?.check()
        let now = configuration.time.date
        let answer = ReceivedAnswer(
            status: response.status,
            headers: response.headers,
            requestTime: sent,
            responseTime: now
        )
        switch await step.take(answer, response, to: hop) {
        case .response(let response): return served(response, in: context)
        case .askAgain:
            var again = step
            again.exchange = step.exchange.withoutValidators
            return try await ask(&hop, again, adding: [:], in: context, &state)
        }
    }

    /// Tells the observer if an answer comes out of the cache.
    private func served(_ response: HTTPResponse, in context: CallContext) -> HTTPResponse {
        if let origin = response.cached?.origin, origin != .network { context.observation?.tell(.served(from: origin)) }
        return response
    }

    /// What is kept, for a call that its own time has run out of; `nil` if its failure stays.
    ///
    /// - Parameters:
    ///   - error: What the call failed of.
    ///   - request: The request.
    ///   - context: The call.
    /// - Returns: The answer.
    func kept(insteadOf error: RepositoryError, for request: HTTPRequest, in context: CallContext) async
        -> HTTPResponse?
    {
        guard let caching = context.caching, let failure = CacheFailure(error), request.method == .get else {
            return nil
        }
        let view = caching.view(of: request)
        guard let target = view.key, let key = caching.entryKey(target, of: view) else { return nil }
        let kept = await caching.partition.answers(to: key, of: target, as: caching.model)
        let exchange = CacheExchange(request: view, policy: caching.policy, candidates: kept.map(\.answer))
        let now = configuration.time.date
        guard let place = exchange.fallback(after: failure, at: now) else { return nil }
        let step = CacheStep(kept: kept, exchange: exchange, key: key, caching: caching)
        return await step.response(of: place, to: request, at: now).map { served($0, in: context) }
    }

    /// Asks behind what was served, once for all who were served meanwhile.
    private func refresh(_ hop: HTTPRequest, _ step: CacheStep, in context: CallContext) {
        guard let turn = step.caching.partition.beginRefresh(of: step.key) else { return }
        var behind = CallContext(
            deadline: Deadline(after: configuration.totalTimeout, on: configuration.time),
            binding: context.binding,
            observation: nil,
            trace: nil
        )
        behind.caching = step.caching
        behind.caching?.policy = .networkOnly
        Task { [self, behind] in
            defer { turn.end() }
            var request = hop
            request.metricsReport = nil
            // It concerns nobody who asked: what was served stays, until a call asks itself.
            guard let binding = behind.binding else {
                _ = try? await follow(&request, in: behind)
                return
            }
            if request.carriesSession {
                // With the token of that moment, which may be a newer one.
                request.headers[configuration.authorization.field] = nil
                request.carriesSession = false
            }
            _ = try? await answer(to: request, for: binding, in: behind)
        }
    }
}
