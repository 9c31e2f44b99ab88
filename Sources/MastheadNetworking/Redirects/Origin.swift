import MastheadTransport

/// Scheme, host and port of a URL (RFC 6454, section 4): the line no secret crosses.
///
/// A name is compared in lower case and in ASCII: `BÜCHER.example`, `b%C3%BCcher.example` and `xn--bcher-kva.example` are
/// one. But `example.com.` is another origin than `example.com`, and so is an address spelled in another way. What is the
/// same to a resolver and not to us only loses a secret, it never leaks one.
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
        self.host = host
        port = try Self.port(digits) ?? (scheme == "https" ? 443 : 80)
    }

    /// Separates the host from the digits after its colon.
    private static func split(_ authority: String) throws(RepositoryError) -> (host: String, port: Substring?) {
        let hostEnd: String.Index
        let host: String
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else {
                throw .invalidURL(reason: "the address has no closing bracket")
            }
            hostEnd = authority.index(after: bracket)
            let address = authority[..<hostEnd].dropFirst().dropLast()
            guard !address.isEmpty, address.utf8.allSatisfy({ isAddressByte($0) }) else {
                throw .invalidURL(reason: "the address between brackets is none, or has a zone")
            }
            host = authority[..<hostEnd].lowercased()
        } else {
            hostEnd = authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = try name(authority[..<hostEnd])
        }
        let rest = authority[hostEnd...]
        guard rest.isEmpty || rest.hasPrefix(":") else { throw .invalidURL(reason: "the host is followed by no port") }
        return (host, rest.isEmpty ? nil : rest.dropFirst())
    }

    /// A host's name in lower case and in ASCII.
    private static func name(_ text: Substring) throws(RepositoryError) -> String {
        if !text.isEmpty, text.utf8.allSatisfy({ isHostByte($0) }) { return text.lowercased() }
        guard !text.utf8.contains(where: \.isControl),
            let plain = String(validating: text.percentDecodedBytes, as: UTF8.self)
        else { throw .invalidURL(reason: "the host is no text") }
        let ascii = plain.utf8.allSatisfy { $0 < 0x80 } ? plain.lowercased() : HostName.ascii(of: plain)
        guard let ascii, !ascii.isEmpty, ascii.utf8.allSatisfy({ isHostByte($0) }) else {
            throw .invalidURL(reason: "the host holds a character that no host may have")
        }
        return ascii
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

    /// Letters, digits and `-._~`: names as DNS has them.
    static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}

extension Substring {
    /// The bytes with their percent-encoding undone, as far as they have any.
    var percentDecodedBytes: [UInt8] {
        var bytes: [UInt8] = []
        var rest = utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
