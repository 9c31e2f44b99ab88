import FoundationEssentials

extension Pipeline {
    /// Sends a request until its answer is final, or the next attempt would be too late, too costly or in vain.
    ///
    /// - Parameters:
    ///   - request: The request; each attempt sets its time-out, its span and its report anew.
    ///   - context: The call it belongs to.
    ///   - state: Its trace, whether it is signed, and what is sent again.
    /// - Returns: The final answer.
    /// - Throws: What the last attempt failed of, or why the call is over.
    func attempt(
        _ request: inout HTTPRequest,
        in context: CallContext,
        _ state: inout HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        let limit = request.timeout
        guard isGuarded else {
            try begin(&request, atMost: limit, in: context)
            let response = try await exchangeOnce(&request, in: context, state)
            try context.deadline.check(timeout: false)
            return response
        }
        let origin = try origin(of: request)
        if state.plan != nil { configuration.retryBudget?.countRequest(to: origin, at: configuration.time.now) }
        while true {
            try begin(&request, atMost: limit, in: context)
            let outcome = await outcome(of: &request, at: origin, in: context, state)
            try context.deadline.check(timeout: false)
            guard let wait = wait(after: outcome, to: request, at: origin, by: context.deadline, &state.plan) else {
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
        in context: CallContext,
        _ state: HopState
    ) async -> Result<HTTPResponse, RepositoryError> {
        do throws(RepositoryError) {
            let ticket = try configuration.circuitBreaker?.admit(to: origin, at: configuration.time.now)
            let outcome: Result<HTTPResponse, RepositoryError>
            do throws(RepositoryError) {
                outcome = .success(try await exchangeOnce(&request, in: context, state))
            } catch {
                outcome = .failure(error)
            }
            if let ticket {
                let verdict = Circuit.Verdict(outcome)
                configuration.circuitBreaker?.record(verdict, of: ticket, to: origin, at: configuration.time.now)
            }
            return outcome
        } catch {
            return .failure(error)
        }
    }

    /// Makes one exchange, and tells of it whoever wants to know.
    @inline(__always)
    private func exchangeOnce(
        _ request: inout HTTPRequest,
        in context: CallContext,
        _ state: HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        let span = traces ? configuration.beginSpan(of: &request, in: state) : nil
        // Most go out as they are.
        guard state.isSigned || request.delivery.isIntoFile else {
            let start = begins(&request, span, in: context)
            do throws(RepositoryError) {
                let response = try await executor.execute(request, configuration)
                ends(request, span, in: context, from: start, with: response)
                return response
            } catch {
                throw ends(request, span, in: context, from: start, with: error)
            }
        }
        var changed = try await changed(request, in: state)
        let start = begins(&request, span, in: context)
        changed.metricsReport = request.metricsReport
        do throws(RepositoryError) {
            let response = try await executor.execute(changed, configuration)
            ends(request, span, in: context, from: start, with: response)
            return response
        } catch {
            throw ends(request, span, in: context, from: start, with: error)
        }
    }

    /// When an exchange began, for those who are told of its end.
    private struct Start {
        let logged: Duration?
        let observed: CallObservation.Attempt?
    }

    private func begins(_ request: inout HTTPRequest, _ span: TraceContext?, in context: CallContext) -> Start {
        log?.sent(request)
        let moment = log == nil ? nil : configuration.time.now
        return Start(logged: moment, observed: context.observation?.attemptStarts(&request, in: span))
    }

    private func ends(
        _ request: HTTPRequest,
        _ span: TraceContext?,
        in context: CallContext,
        from start: Start,
        with response: HTTPResponse
    ) {
        if let attempt = start.observed {
            let outcome = NetworkOutcome.answered(status: response.status)
            context.observation?.ends(attempt, of: request, in: span, with: outcome, report: response.report)
        }
        guard let log, let moment = start.logged else { return }
        log.ended(request, with: .success(response), after: configuration.time.now - moment)
    }

    /// - Returns: What the attempt failed of.
    private func ends(
        _ request: HTTPRequest,
        _ span: TraceContext?,
        in context: CallContext,
        from start: Start,
        with error: RepositoryError
    ) -> RepositoryError {
        // Whatever a cancelled exchange says it failed of.
        let error = Task.isCancelled ? .cancelled : error
        if let attempt = start.observed {
            context.observation?.ends(attempt, of: request, in: span, with: NetworkOutcome(error))
        }
        guard let log, let moment = start.logged else { return error }
        log.ended(request, with: .failure(error), after: configuration.time.now - moment)
        return error
    }

    /// The request as it goes out, for this attempt alone: with what the file needs that its answer goes into, and signed.
    private func changed(_ request: HTTPRequest, in state: HopState) async throws(RepositoryError) -> HTTPRequest {
        var changed = request
        do throws(RepositoryError) {
            if case .file(let file) = request.delivery { try await changed.ask(for: file, configuration) }
            // Last of all.
            if state.isSigned, let signer = configuration.signer {
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
