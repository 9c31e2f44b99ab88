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
        guard isGuarded else {
            try begin(&request, atMost: limit, in: context)
            let response = try await exchange(&request, in: context)
            try context.deadline.check(timeout: false)
            return response
        }
        let origin = try origin(of: request)
        if plan != nil { configuration.retryBudget?.countRequest(to: origin, at: configuration.time.now) }
        while true {
            try begin(&request, atMost: limit, in: context)
            let outcome = await outcome(of: &request, at: origin, in: context)
            try context.deadline.check(timeout: false)
            guard let wait = wait(after: outcome, to: request, at: origin, by: context.deadline, &plan) else {
                return try outcome.get()
            }
            log?.retrying(request, after: wait)
            context.observation?.retries(after: outcome, in: wait)
            try await context.deadline.sleep(for: wait)
        }
    }

    /// Makes sure that there is time and a session for an attempt, and says how long it may take.
    private func begin(
        _ request: inout HTTPRequest,
        atMost limit: Duration?,
        in context: CallContext
    ) throws(RepositoryError) {
        try context.deadline.check()
        try context.binding?.check()
        request.timeout = context.deadline.remaining(atMost: limit)
    }

    /// How long to wait before the next attempt; `nil` if there is to be none.
    private func wait(
        after outcome: Result<HTTPResponse, RepositoryError>,
        to request: HTTPRequest,
        at origin: Origin,
        by deadline: Deadline,
        _ plan: inout RetryPlan?
    ) -> Duration? {
        let time = configuration.time
        guard let wait = plan?.wait(after: outcome, to: request, at: time.date, fraction: configuration.randomFraction),
            deadline.allows(wait)
        else { return nil }
        let now = time.now
        if configuration.circuitBreaker?.refuses(origin, at: now + wait) == true { return nil }
        if configuration.retryBudget?.takeRetry(to: origin, at: now) == false { return nil }
        return wait
    }

    /// What one exchange comes to, unless the origin's circuit is open; the circuit takes it in.
    private func outcome(
        of request: inout HTTPRequest,
        at origin: Origin,
        in context: CallContext
    ) async -> Result<HTTPResponse, RepositoryError> {
        do throws(RepositoryError) {
            guard let breaker = configuration.circuitBreaker else {
                return .success(try await exchange(&request, in: context))
            }
            let ticket = try breaker.admit(to: origin, at: configuration.time.now)
            let outcome: Result<HTTPResponse, RepositoryError>
            do throws(RepositoryError) {
                outcome = .success(try await exchange(&request, in: context))
            } catch {
                outcome = .failure(error)
            }
            breaker.record(Circuit.Verdict(outcome), of: ticket, to: origin, at: configuration.time.now)
            return outcome
        } catch {
            return .failure(error)
        }
    }

    /// Makes one exchange, and tells of it whoever wants to know.
    private func exchange(
        _ request: inout HTTPRequest,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        let span = configuration.beginSpan(of: &request, in: context)
        var changed: HTTPRequest?
        // Most go out as they are.
        if context.isSigned || request.delivery.isIntoFile { changed = try await self.changed(request, in: context) }
        let start = log.map { log in
            log.sent(request)
            return configuration.time.now
        }
        let attempt = context.observation?.attemptStarts(&request, in: span)
        changed?.metricsReport = request.metricsReport
        let response: HTTPResponse
        do throws(RepositoryError) {
            if let changed {
                response = try await executor.execute(changed, configuration)
            } else {
                response = try await executor.execute(request, configuration)
            }
        } catch {
            // Whatever a cancelled exchange says it failed of.
            let error = Task.isCancelled ? .cancelled : error
            if let attempt { context.observation?.ends(attempt, with: NetworkOutcome(error), report: nil) }
            if let log, let start { log.ended(request, with: .failure(error), after: configuration.time.now - start) }
            throw error
        }
        if let attempt {
            context.observation?.ends(attempt, with: .answered(status: response.status), report: response.report)
        }
        if let log, let start { log.ended(request, with: .success(response), after: configuration.time.now - start) }
        return response
    }

    /// The request as it goes out, for this attempt alone: with what the file needs that its answer goes into, and signed.
    private func changed(_ request: HTTPRequest, in context: CallContext) async throws(RepositoryError) -> HTTPRequest {
        var changed = request
        do throws(RepositoryError) {
            if case .file(let file) = request.delivery { try await changed.ask(for: file, configuration) }
            // Last of all.
            if context.isSigned, let signer = configuration.signer {
                try await changed.sign(by: signer, at: configuration.time.date)
            }
        } catch {
            throw Task.isCancelled ? .cancelled : error
        }
        return changed
    }
}

extension NetworkingConfiguration {
    /// A random number of at least 0 and below 1.
    package func randomFraction() -> Double {
        Double(randomBits() >> 11) * 0x1p-53
    }
}
