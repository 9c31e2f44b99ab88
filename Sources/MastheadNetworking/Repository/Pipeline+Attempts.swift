import FoundationEssentials

extension Pipeline {
    /// Sends a request until its answer is final, or the next attempt would be too late, too costly or in vain.
    func attempt(
        _ request: HTTPRequest,
        in context: CallContext,
        _ plan: inout RetryPlan?
    ) async throws(RepositoryError) -> HTTPResponse {
        var attempt = request
        let origin = isGuarded ? try Origin(URLReference(request.url.absoluteString)) : nil
        if let origin, plan != nil { configuration.retryBudget?.countRequest(to: origin, at: configuration.time.now) }
        while true {
            try context.deadline.check()
            attempt.timeout = context.deadline.remaining(atMost: request.timeout)
            let outcome = await exchange(attempt, with: origin, in: context)
            try context.deadline.check(timeout: false)
            guard let wait = wait(after: outcome, to: request, at: origin, by: context.deadline, &plan) else {
                return try outcome.get()
            }
            log?.retrying(request, after: wait)
            context.observation?.retries(after: outcome, in: wait)
            try await context.deadline.sleep(for: wait)
        }
    }

    /// How long to wait before the next attempt; `nil` if there is to be none.
    private func wait(
        after outcome: Result<HTTPResponse, RepositoryError>,
        to request: HTTPRequest,
        at origin: Origin?,
        by deadline: Deadline,
        _ plan: inout RetryPlan?
    ) -> Duration? {
        let time = configuration.time
        guard let origin,
            let wait = plan?.wait(after: outcome, to: request, at: time.date, fraction: configuration.randomFraction),
            deadline.allows(wait)
        else { return nil }
        let now = time.now
        if configuration.circuitBreaker?.refuses(origin, at: now + wait) == true { return nil }
        if configuration.retryBudget?.takeRetry(to: origin, at: now) == false { return nil }
        return wait
    }

    /// Makes one exchange, unless the origin's circuit is open, and takes in what it came to.
    private func exchange(
        _ request: HTTPRequest,
        with origin: Origin?,
        in context: CallContext
    ) async -> Result<HTTPResponse, RepositoryError> {
        guard let origin, let breaker = configuration.circuitBreaker else {
            return await exchange(request, in: context)
        }
        do throws(RepositoryError) {
            let ticket = try breaker.admit(to: origin, at: configuration.time.now)
            let outcome = await exchange(request, in: context)
            breaker.record(Circuit.Verdict(outcome), of: ticket, to: origin, at: configuration.time.now)
            return outcome
        } catch {
            return .failure(error)
        }
    }

    /// Makes one exchange, and tells of it whoever wants to know.
    private func exchange(
        _ request: HTTPRequest,
        in context: CallContext
    ) async -> Result<HTTPResponse, RepositoryError> {
        var request = request
        let span = configuration.beginSpan(of: &request, in: context)
        let start = log.map { log in
            log.sent(request)
            return configuration.time.now
        }
        let attempt = context.observation?.attemptStarts(request, in: span)
        let outcome = await send(request)
        if let attempt { context.observation?.ends(attempt, with: outcome) }
        if let log, let start { log.ended(request, with: outcome, after: configuration.time.now - start) }
        return outcome
    }

    private func send(_ request: HTTPRequest) async -> Result<HTTPResponse, RepositoryError> {
        do throws(RepositoryError) {
            return .success(try await executor.execute(request, configuration))
        } catch {
            // Whatever a cancelled exchange says it failed of.
            return .failure(Task.isCancelled ? .cancelled : error)
        }
    }
}

extension NetworkingConfiguration {
    /// A random number of at least 0 and below 1.
    package func randomFraction() -> Double {
        Double(randomBits() >> 11) * 0x1p-53
    }
}
