/// Scheme, host and port of a URL as text: what connections are counted by.
package struct Origin: Sendable, Hashable {
    package let text: String
    package let isSecure: Bool

    /// `nil` if the URL is not an absolute `http` or `https` URL with a host.
    package init?(url: String) {
        let bytes = url.utf8
        let scheme: String
        if url.hasPrefix("https://") {
            scheme = "https://"
        } else if url.hasPrefix("http://") {
            scheme = "http://"
        } else {
            return nil
        }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let authority = rest[..<(end ?? rest.endIndex)]
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
        let name = url[..<authority.endIndex]
        let isLowercase = authority.allSatisfy { $0 < 0x80 && $0 &- UInt8(ascii: "A") >= 26 }
        text = isLowercase ? String(name) : name.lowercased()
        isSecure = scheme == "https://"
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
