import FoundationEssentials

extension HTTPRequest {
    /// Makes sure that nothing of the request can break out of its place on the wire.
    ///
    /// - Parameter checked: A URL that is known to be right, so that it need not be looked at again.
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a method or a header name that is no token and for a
    ///   value with a control character (RFC 9110, sections 5.5 and 5.6.2); ``RepositoryError/invalidURL(reason:)`` for
    ///   a URL that is not `http` or `https`, has no host or has a user.
    func checkSendable(unless checked: URL? = nil) throws(RepositoryError) {
        guard method.isToken else {
            throw .invalidRequest(reason: "the method is no token: give a word such as GET")
        }
        try headers.validate()
        if url != checked { _ = try Origin(URLReference(url.absoluteString)) }
    }
}
