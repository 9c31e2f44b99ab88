/// Sees every request before it is sent and every answer before it is judged: decoded, raw and polling calls alike.
///
/// ```swift
/// struct TraceInterceptor: RequestInterceptor {
///     func willSend(_ request: inout HTTPRequest) { request.headers["X-Trace"] = currentTrace() }
///     func didReceive(_ response: HTTPResponse, for request: HTTPRequest) { record(response.status) }
/// }
/// ```
///
/// It is called from any task, for each exchange of a call: again for each poll, not again for a redirect or a renewed
/// token. It comes after ``AbstractRepository/prepare(_:)``, and before the session's token is added; what both made of the
/// request is checked again before anything is sent. Several are one as a ``RequestInterceptorChain``.
public protocol RequestInterceptor: Sendable {
    /// May change the request; throwing ends the call with that error.
    func willSend(_ request: inout HTTPRequest) async throws(RepositoryError)

    /// Reads the answer of a request, whatever its status; after redirects, the last one.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request as ``willSend(_:)`` left it.
    func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async
}

extension RequestInterceptor {
    /// Leaves the request as it is.
    public func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {}

    /// Does nothing.
    public func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {}
}
