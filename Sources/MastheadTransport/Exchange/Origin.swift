/// Scheme, host and port of a URL as text: what connections are counted by.
package struct Origin: Sendable, Hashable {
    package let text: String
    package let isSecure: Bool
    /// The text's hash, made once: each exchange looks its origin up several times.
    private let digest: Int

    /// `nil` if the URL is not an absolute `http` or `https` URL with a host.
    package init?(url: String) {
        var url = url
        let found = url.withUTF8 { bytes -> (text: String, isSecure: Bool)? in
            let isSecure = bytes.starts(with: "https://".utf8)
            guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
            let start = isSecure ? 8 : 7
            let rest = bytes[start...]
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            let authority = rest[..<(end ?? rest.endIndex)]
            guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
            let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<authority.endIndex]), as: UTF8.self)
            let isLowercase = authority.allSatisfy { $0 < 0x80 && $0 &- UInt8(ascii: "A") >= 26 }
            return (isLowercase ? name : name.lowercased(), isSecure)
        }
        guard let found else { return nil }
        (text, isSecure) = found
        digest = text.hashValue
    }

    package static func == (left: Origin, right: Origin) -> Bool {
        left.digest == right.digest && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }

    /// The port, named or the scheme's.
    package var port: Int {
        let authority = text.dropFirst(isSecure ? 8 : 7)
        let named = authority.lastIndex(of: ":").flatMap { Int(authority[authority.index(after: $0)...]) }
        return named ?? (isSecure ? 443 : 80)
    }

    /// The host's name or address; an IPv6 address in its brackets.
    package var host: String {
        let authority = text.dropFirst(isSecure ? 8 : 7)
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[...end])
        }
        return String(authority[..<(authority.firstIndex(of: ":") ?? authority.endIndex)])
    }
}
