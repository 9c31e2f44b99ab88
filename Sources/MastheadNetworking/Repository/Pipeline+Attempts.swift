import FoundationEssentials

extension Pipeline {
    /// Sends a request until its answer is final, or the next attempt would be too late, too costly or in vain.
    ///
    /// - Parameters:
    ///   - request: The request; each attempt sets its time-out, its span and its report anew.
    ///   - limit: How long one attempt may take; `nil` for as long as there is time.
    ///   - context: The call it belongs to.
    ///   - plan: The plan of the exchange; `nil` sends nothing again.
    /// - Returns: The final answer.
    /// - Throws: What the last attempt failed of, or why the call is over.
    func attempt(
        _ request: inout HTTPRequest,
        atMost limit: Duration?,
        in context: CallContext,
        _ plan: inout RetryPlan?
    ) async throws(RepositoryError) -> HTTPResponse {
        let origin = isGuarded ? try origin(of: request) : nil
        if let origin, plan != nil { configuration.retryBudget?.countRequest(to: origin, at: configuration.time.now) }
        while true {
            try context.deadline.check()
            try context.binding?.check()
            request.timeout = context.deadline.remaining(atMost: limit)
            let outcome: Result<HTTPResponse, RepositoryError>
            if let origin, let breaker = configuration.circuitBreaker {
                outcome = await exchange(&request, in: context, with: origin, by: breaker)
            } else {
                outcome = await exchange(&request, in: context)
            }
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
        _ request: inout HTTPRequest,
        in context: CallContext,
        with origin: Origin,
        by breaker: CircuitBreaker
    ) async -> Result<HTTPResponse, RepositoryError> {
        let ticket: Circuit.Ticket
        do throws(RepositoryError) {
            ticket = try breaker.admit(to: origin, at: configuration.time.now)
        } catch {
            return .failure(error)
        }
        let outcome = await exchange(&request, in: context)
        breaker.record(Circuit.Verdict(outcome), of: ticket, to: origin, at: configuration.time.now)
        return outcome
    }

    /// Makes one exchange, and tells of it whoever wants to know.
    private func exchange(
        _ request: inout HTTPRequest,
        in context: CallContext
    ) async -> Result<HTTPResponse, RepositoryError> {
        let span = configuration.beginSpan(of: &request, in: context)
        var outgoing = request
        do throws(RepositoryError) {
            if case .file(let file) = outgoing.delivery { try await outgoing.ask(for: file, configuration) }
            try await sign(&outgoing, in: context)
        } catch {
            return .failure(Task.isCancelled ? .cancelled : error)
        }
        let start = log.map { log in
            log.sent(request)
            return configuration.time.now
        }
        let attempt = context.observation?.attemptStarts(&request, in: span)
        let outcome: Result<HTTPResponse, RepositoryError>
        do throws(RepositoryError) {
            outgoing.metricsReport = request.metricsReport
            let response = try await executor.execute(outgoing, configuration)
            if let attempt {
                context.observation?.ends(attempt, with: .answered(status: response.status), report: response.report)
            }
            outcome = .success(response)
        } catch {
            // Whatever a cancelled exchange says it failed of.
            let error = Task.isCancelled ? .cancelled : error
            if let attempt { context.observation?.ends(attempt, with: NetworkOutcome(error), report: nil) }
            outcome = .failure(error)
        }
        if let log, let start { log.ended(request, with: outcome, after: configuration.time.now - start) }
        return outcome
    }
}

extension Pipeline {
    /// Has the request signed, if it is one to sign; last of all, and for this attempt alone.
    private func sign(_ request: inout HTTPRequest, in context: CallContext) async throws(RepositoryError) {
        guard context.isSigned, let signer = configuration.signer else { return }
        try await request.sign(by: signer, at: configuration.time.date)
    }
}

extension NetworkingConfiguration {
    /// A random number of at least 0 and below 1.
    package func randomFraction() -> Double {
        Double(randomBits() >> 11) * 0x1p-53
    }
}
