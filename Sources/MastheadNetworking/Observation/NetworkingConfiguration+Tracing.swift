import FoundationEssentials

extension NetworkingConfiguration {
    /// The place of a call in a trace; `nil` without ``tracing``.
    func trace(of request: HTTPRequest) -> TraceContext? {
        guard let tracing else { return nil }
        return request.headers[Self.traceField].flatMap { TraceContext($0) } ?? tracing.parent()
            ?? TraceContext(isSampled: tracing.isSampled, randomBits: randomBits)
    }

    /// The place that a request carries itself by now, or else the call's.
    func trace(of request: HTTPRequest, in call: TraceContext?) -> TraceContext? {
        guard tracing != nil, let field = request.headers[Self.traceField] else { return call }
        return TraceContext(field)
    }

    /// Ends the trace of a request that goes to another origin.
    func endTrace(of request: inout HTTPRequest, from source: HTTPRequest, in state: inout HopState) {
        guard tracing != nil, request.origin != source.origin else { return }
        state.trace = nil
        request.headers[Self.traceField] = nil
        request.headers["tracestate"] = nil
    }

    /// Makes the span of an attempt, and has the request carry it.
    func beginSpan(of request: inout HTTPRequest, in state: HopState) -> TraceContext? {
        guard let span = state.trace?.child(randomBits: randomBits) else { return nil }
        request.headers[Self.traceField] = span.description
        return span
    }

    private static let traceField = "traceparent"
}

extension HTTPRequest {
    /// The origin it goes to; `nil` if its URL has none.
    fileprivate var origin: Origin? { try? Origin(URLReference(url.absoluteString)) }
}
