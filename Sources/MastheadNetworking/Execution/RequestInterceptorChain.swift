/// Several interceptors as one.
///
/// ```swift
/// $0.interceptor = [TraceInterceptor(), LanguageInterceptor()] as RequestInterceptorChain
/// ```
///
/// Both ends go through them in the order they were written. The first that throws ends the call: those after it do not
/// see the request.
public struct RequestInterceptorChain: RequestInterceptor, ExpressibleByArrayLiteral {
    /// The interceptors, first to last.
    public let interceptors: [any RequestInterceptor]

    /// Makes a chain of interceptors; one of none changes nothing.
    public init(_ interceptors: [any RequestInterceptor]) {
        self.interceptors = interceptors
    }

    /// Makes a chain of a literal.
    public init(arrayLiteral elements: any RequestInterceptor...) {
        interceptors = elements
    }

    /// Hands the request from one to the next.
    public func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
        for interceptor in interceptors {
            try await interceptor.willSend(&request)
        }
    }

    /// Shows the answer to each.
    public func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {
        for interceptor in interceptors {
            await interceptor.didReceive(response, for: request)
        }
    }
}
