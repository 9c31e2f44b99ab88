extension Pipeline {
    /// Prepares the request, has it answered, and shows both ends to the interceptor.
    func exchange(
        _ template: HTTPRequest,
        in context: CallContext,
        prepare: Prepare
    ) async throws(RepositoryError) -> HTTPResponse {
        var request = template
        try prepare(&request)
        if intercepts { return try await intercepted(&request, template, in: context) }
        // It may have been changed: nothing that breaks the request line or a header goes out.
        try request.checkSendable(unless: template)
        return try await answer(to: &request, in: context)
    }

    private func intercepted(
        _ request: inout HTTPRequest,
        _ template: HTTPRequest,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        let interceptor = configuration.interceptor
        do throws(RepositoryError) {
            try await interceptor?.willSend(&request)
        } catch {
            // Whatever a cancelled task says it failed of.
            throw Task.isCancelled ? .cancelled : error
        }
        try request.checkSendable(unless: template)
        let shown = request
        let response = try await answer(to: &request, in: context)
        await interceptor?.didReceive(response, for: shown)
        try context.deadline.check()
        return response
    }

    /// Has a request answered in a session's name, together with others, or by itself.
    private func answer(
        to request: inout HTTPRequest,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        let response: HTTPResponse
        if let binding = context.binding {
            response = try await answer(to: request, for: binding, in: context)
        } else if let coalescer, let identity = RequestIdentity(request, caching: context.caching?.identity) {
            response = try await share(request, identity, through: coalescer, in: context)
        } else {
            response = try await follow(&request, in: context)
        }
        context.caching?.tag(response)
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
                    var hop = shared
                    return .success(try await follow(&hop, in: common))
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
}
