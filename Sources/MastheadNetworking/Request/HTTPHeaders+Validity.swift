import MastheadTransport

extension HTTPHeaders {
    /// Checks that every name is a token and no value holds a control character (RFC 9110, section 5).
    ///
    /// A line break in a value would start a field, or a whole request, of somebody else's choosing.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)``; the reason names the field, never its value.
    public func validate() throws(RepositoryError) {
        if let problem { throw .invalidRequest(reason: problem) }
    }

    /// What is wrong with the first field that cannot be sent; `nil` if all can.
    var problem: String? {
        for field in lines {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(ASCIISet.token.contains) else {
                // What comes after the token may be a value in the wrong place.
                let start = field.name.utf8.prefix(while: ASCIISet.token.contains).prefix(64)
                return "the name of header field \"\(Substring(start))\" is no token"
            }
            // A tab is the one control character a value may hold.
            guard field.value.utf8.allSatisfy({ !$0.isControl || $0 == 0x09 }) else {
                return "the value of header field \(field.name.prefix(64)) holds a line break or a control character"
            }
        }
        return nil
    }
}
