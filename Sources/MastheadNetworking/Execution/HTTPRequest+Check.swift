import FoundationEssentials

extension HTTPRequest {
    /// Makes sure that nothing of the request can break out of its place on the wire.
    ///
    /// - Parameter checked: A URL that is known to be right, so that it need not be looked at again.
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a method or a header name that is no token and for a
    ///   value with a control character (RFC 9110, sections 5.5 and 5.6.2); ``RepositoryError/invalidURL(reason:)`` for
    ///   a URL that is not `http` or `https`, has no host or has a user.
    func checkSendable(unless checked: URL? = nil) throws(RepositoryError) {
        guard method.rawValue.isHTTPToken else { throw .invalidRequest(reason: "the method is no token") }
        for field in headers.fields {
            guard field.name.isHTTPToken else { throw .invalidRequest(reason: "a header's name is no token") }
            guard field.value.utf8.allSatisfy(\.isLegalInFieldValue) else {
                throw .invalidRequest(reason: "the header \(field.name) holds a control character")
            }
        }
        if url != checked { _ = try Origin(URLReference(url.absoluteString)) }
    }
}

extension String {
    /// Whether it is a token (RFC 9110, section 5.6.2), such as a method or a header's name.
    fileprivate var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isLegalInToken) }
}

extension UInt8 {
    fileprivate var isLegalInToken: Bool {
        isASCIILetter || isASCIIDigit || Self.tokenMarks.contains(self)
    }

    /// A tab, or anything but a control character.
    fileprivate var isLegalInFieldValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
}
