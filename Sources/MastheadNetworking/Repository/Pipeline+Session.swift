import FoundationEssentials

extension Pipeline {
    /// Binds a call to the session, if it requires one.
    ///
    /// - Throws: ``RepositoryError/unauthenticatedSession(_:)`` if it does and there is none.
    func binding(of call: CallOptions) throws(RepositoryError) -> SessionBinding? {
        guard let session, call.usesSession else { return nil }
        do throws(RepositoryError) {
            return try SessionBinding(session, only: call.onlySession)
        } catch {
            if session.grant == nil, let cache, let environment { cache.letGo(of: environment) }
            throw error
        }
    }

    /// Has a request answered in a session's name: with its token, where that may go, and again with a new one if it is
    /// refused.
    func answer(
        to request: HTTPRequest,
        for binding: SessionBinding,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        var grant = try binding.grant()
        guard try isAtHome(request), request.headers[configuration.authorization.field] == nil else {
            return try await send(request, for: binding, in: context)
        }
        if grant.isDue {
            // Waits only if the token has ended; what is refused now shows when the next grant is asked for.
            let renewal = try await renewal(of: grant, isRefused: false, for: binding, of: request, in: context)
            guard case .renewed(let renewed) = renewal else { throw .withoutSession }
            grant = renewed
        }
        let response = try await send(authorized(request, by: grant), for: binding, in: context)
        guard let refused = response.refused else { return response }
        let renewal = try await renewal(of: grant, isRefused: true, for: binding, of: request, in: context)
        guard case .renewed(let renewed) = renewal else {
            // Nobody else's by now: the app may read in it why.
            if case .refused = renewal, binding.session.grant == nil { return response }
            throw .withoutSession
        }
        // What led there by redirects was done, and must not be done twice.
        guard refused.body?.isReplayable ?? true else { throw .bodyNotReplayable }
        return try await send(authorized(refused, by: renewed), for: binding, in: context)
    }

    /// Sends a request, together with those calls of the same session that ask the same.
    private func send(
        _ request: HTTPRequest,
        for binding: SessionBinding,
        in context: CallContext
    ) async throws(RepositoryError) -> HTTPResponse {
        var response: HTTPResponse
        var request = request
        if case .file = request.delivery { request.binding = binding }
        // Where redirects lead is another request.
        let fileBinding = request.binding
        if let coalescer,
            let identity = RequestIdentity(request, session: binding.number, caching: context.caching?.identity)
        {
            response = try await share(request, identity, through: coalescer, in: context)
        } else {
            response = try await follow(&request, in: context)
        }
        try binding.check()
        response.binding = fileBinding
        if request.delivery == .stream, response.isAccepted {
            response.reader = binding.bind(response.reader ?? BodyReader(response.body))
        }
        return response
    }

    /// Asks for a new token, and waits for it as long as the call may last, unless the old one still holds.
    ///
    /// - Throws: What the renewal failed of, or why the call waits no longer.
    private func renewal(
        of grant: SessionGrant,
        isRefused: Bool,
        for binding: SessionBinding,
        of request: HTTPRequest,
        in context: CallContext
    ) async throws(RepositoryError) -> SessionRenewal {
        try context.deadline.check()
        log?.renewing(request, isRefused: isRefused)
        context.observation?.tell(.renewing(isRefused: isRefused))
        let renewal = await binding.session.renewal(
            of: grant,
            isRefused: isRefused,
            by: context.deadline.moment,
            on: configuration.time
        )
        let error: RepositoryError? =
            switch renewal {
            case .renewed: nil
            case .refused, .ended: .withoutSession
            case .failed(let error): Task.isCancelled ? .cancelled : error
            }
        log?.renewed(request, with: error)
        context.observation?.tell(.renewed(failure: error.flatMap { NetworkOutcome($0).failure }))
        try context.deadline.check(timeout: false)
        if case .failed = renewal, let error { throw error }
        return renewal
    }

    /// The request with the token in it.
    private func authorized(_ request: HTTPRequest, by grant: SessionGrant) throws(RepositoryError) -> HTTPRequest {
        let scheme = configuration.authorization
        let value = scheme.value(for: grant.token)
        guard value.utf8.allSatisfy({ !$0.isControl }) else {
            throw .invalidRequest(reason: "the session's token holds a control character")
        }
        var request = request
        request.headers[scheme.field] = value
        request.carriesSession = true
        return request
    }
}
