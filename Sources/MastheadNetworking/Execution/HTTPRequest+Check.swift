import FoundationEssentials

extension HTTPRequest {
    /// Makes sure that nothing of the request can break out of its place on the wire.
    ///
    /// - Parameter checked: A request that is known to be right: what is the same in both need not be looked at again.
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a method or a header name that is no token, for a value
    ///   with a control character (RFC 9110, sections 5.5 and 5.6.2), for a field that is the transport's to set, and for
    ///   a body of HEAD; ``RepositoryError/invalidURL(reason:)`` for a URL that is not `http` or `https`, has no host or
    ///   has a user.
    func checkSendable(unless checked: HTTPRequest) throws(RepositoryError) {
        guard method == checked.method || method.isToken else {
            throw .invalidRequest(reason: "the method is no token: give a word such as GET")
        }
        if headers != checked.headers {
            try headers.validate()
            try headers.checkFraming()
        }
        if method == .head, body != nil { throw .invalidRequest(reason: "a HEAD request carries no body") }
        if url != checked.url { _ = try Origin(URLReference(url.absoluteString)) }
    }
}

extension HTTPHeaders {
    /// Makes sure that the transport alone says where the body ends.
    func checkFraming() throws(RepositoryError) {
        for name in ["Content-Length", "Transfer-Encoding"] where self[name] != nil {
            throw .invalidRequest(reason: "header field \(name) is the transport's to set")
        }
    }
}
