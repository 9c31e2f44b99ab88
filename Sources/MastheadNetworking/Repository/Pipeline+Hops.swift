extension Pipeline {
    /// Sends the request, and what its redirects ask for, until an answer is no redirect to follow.
    ///
    /// - Parameters:
    ///   - hop: The request; afterwards the last one that was sent.
    ///   - context: The call it belongs to.
    /// - Returns: The last answer.
    /// - Throws: What an attempt failed of, or what is wrong with where a redirect leads.
    func follow(_ hop: inout HTTPRequest, in context: CallContext) async throws(RepositoryError) -> HTTPResponse {
        var state = HopState(
            trace: traces ? configuration.trace(of: hop, in: context.trace) : nil,
            isSigned: signs ? try isAtHome(hop) : false,
            plan: RetryPlan(configuration.retry)
        )
        let response = try await fetch(&hop, in: context, &state)
        // Most answers are no redirects.
        guard RedirectPolicy.isRedirect(response) else { return consume response }
        return try await follow(response, to: &hop, in: context, &state)
    }

    private func follow(
        _ redirect: HTTPResponse,
        to hop: inout HTTPRequest,
        in context: CallContext,
        _ state: inout HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        var response = redirect
        var policy = RedirectPolicy(configuration)
        while RedirectPolicy.isRedirect(response), var next = try policy.next(after: response, to: hop) {
            configuration.endTrace(of: &next, from: hop, in: &state)
            if state.isSigned { state.isSigned = try isAtHome(next) }
            context.observation?.redirects(with: response.status, to: next.url)
            // The least a redirecting server asks for (RFC 9110, section 10.2.3).
            if let wait = response.retryAfter(at: configuration.time.date) {
                try await context.deadline.sleep(for: min(wait, RetryPlan.longestWait))
            }
            hop = next
            response = try await fetch(&hop, in: context, &state)
        }
        return response
    }

    /// Brings the answer to one request, from the cache or from its server.
    @inline(__always)
    private func fetch(
        _ hop: inout HTTPRequest,
        in context: CallContext,
        _ state: inout HopState
    ) async throws(RepositoryError) -> HTTPResponse {
        if context.caching == nil {
            try await attempt(&hop, in: context, &state).answering(hop, decodedBy: decoding)
        } else {
            try await lookUp(&hop, in: context, &state).answering(hop, decodedBy: decoding)
        }
    }
}
