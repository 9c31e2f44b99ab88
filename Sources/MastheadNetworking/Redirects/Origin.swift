/// Scheme, host and port of a URL (RFC 6454, section 4): the line no secret crosses.
///
/// Hosts are compared as written but for case: `example.com.` is another origin than `example.com`, and so is an address
/// spelled in another way. What is the same to a resolver and not to us only loses a secret, it never leaks one.
package struct Origin: Sendable, Hashable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Whether the connection is encrypted.
    var isSecure: Bool { scheme == "https" }

    /// Reads the origin of an absolute URL.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` unless the scheme is `http` or `https`, there is a host of
    ///   legal characters and no user, and the port is none or 1 to 65535.
    package init(_ reference: URLReference) throws(RepositoryError) {
        guard let scheme = reference.scheme, scheme == "http" || scheme == "https" else {
            throw .invalidURL(reason: "the scheme is neither http nor https")
        }
        guard let authority = reference.authority, !authority.isEmpty else {
            throw .invalidURL(reason: "there is no host")
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw .invalidURL(reason: "there is a user name before the host")
        }
        let (host, digits) = try Self.split(authority)
        self.scheme = scheme
        self.host = host.lowercased()
        port = try Self.port(digits) ?? (scheme == "https" ? 443 : 80)
    }

    /// Separates the host from the digits after its colon.
    private static func split(_ authority: String) throws(RepositoryError) -> (host: Substring, port: Substring?) {
        let hostEnd: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else {
                throw .invalidURL(reason: "the address has no closing bracket")
            }
            hostEnd = authority.index(after: bracket)
            let address = authority[..<hostEnd].dropFirst().dropLast()
            guard !address.isEmpty, address.utf8.allSatisfy({ isAddressByte($0) }) else {
                throw .invalidURL(reason: "the address between brackets is none")
            }
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
            guard hostEnd > authority.startIndex, authority[..<hostEnd].utf8.allSatisfy({ isHostByte($0) }) else {
                throw .invalidURL(reason: "the host holds a character that no host may have")
            }
        }
        let rest = authority[hostEnd...]
        guard rest.isEmpty || rest.hasPrefix(":") else { throw .invalidURL(reason: "the host is followed by no port") }
        return (authority[..<hostEnd], rest.isEmpty ? nil : rest.dropFirst())
    }

    /// Reads a port; an empty one stands for none (RFC 3986, section 3.2.3).
    private static func port(_ digits: Substring?) throws(RepositoryError) -> Int? {
        guard let digits, !digits.isEmpty else { return nil }
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit), let port = Int(digits),
            1...65535 ~= port
        else { throw .invalidURL(reason: "the port is not between 1 and 65535") }
        return port
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Letters, digits and `-._~`: names as DNS has them; percent-encoding would let two spellings mean one host.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}
