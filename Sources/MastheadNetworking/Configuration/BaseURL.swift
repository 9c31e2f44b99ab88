#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What every URL of a configuration starts with, taken apart and checked.
struct BaseURL {
    let scheme: String

    /// The host as it stands in a URL: an IPv6 address in brackets.
    let host: String

    /// The port if it is not the scheme's own.
    let port: Int?

    /// Scheme, host and port, as they stand before the path.
    let origin: String

    /// The path, percent-encoded, with a slash at its start and none at its end; empty for none.
    let path: String

    /// Whether the path was written with a slash at its end.
    let endsWithSlash: Bool

    init(_ configuration: NetworkingConfiguration) throws(RepositoryError) {
        let isSecure = configuration.useSecureConnection
        scheme = isSecure ? "https" : "http"
        let (host, textPort) = try Self.splitDomain(configuration.domainURL)
        self.host = host
        if textPort != nil, configuration.port != nil {
            throw .invalidConfiguration(reason: "the port is given twice: leave it out of domainURL, or out of port")
        }
        let port = configuration.port ?? textPort
        if let port, !(1...65535).contains(port) {
            throw .invalidConfiguration(reason: "port is not between 1 and 65535")
        }
        let shownPort = port == (isSecure ? 443 : 80) ? nil : port
        self.port = shownPort
        origin = "\(scheme)://\(host)" + (shownPort.map { ":\($0)" } ?? "")
        (path, endsWithSlash) = try Self.encodePath(configuration.subdomainURL ?? "")
    }

    private static func encodePath(_ text: String) throws(RepositoryError) -> (String, Bool) {
        // Most configurations have none.
        guard !text.isEmpty, text != "/" else { return ("", false) }
        let path = RequestPath(stringLiteral: text)
        if let problem = path.problem {
            let advice = "give plain segments such as /v2"
            throw .invalidConfiguration(reason: "subdomainURL cannot be used, \(problem): \(advice)")
        }
        guard path.encoded.utf8.last == UInt8(ascii: "/") else { return ("/" + path.encoded, false) }
        return ("/" + path.encoded.dropLast(), true)
    }
}

// MARK: - The host

extension BaseURL {
    /// Takes a port off the host, and checks both.
    static func splitDomain(_ domain: String) throws(RepositoryError) -> (host: String, port: Int?) {
        var colons = 0
        guard !domain.isEmpty else {
            throw .invalidConfiguration(reason: "domainURL is empty: give the host's name or address")
        }
        for byte in domain.utf8 {
            switch byte {
            case UInt8(ascii: ":"): colons += 1
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"):
                throw .invalidConfiguration(
                    reason: domain.contains("://")
                        ? "domainURL holds a scheme: give the host alone, and set useSecureConnection"
                        : "domainURL holds a path: give the host alone, and the path as subdomainURL"
                )
            case UInt8(ascii: "@"):
                throw .invalidConfiguration(reason: "domainURL holds user information: give the host alone")
            case 0...0x20, 0x7F:
                throw .invalidConfiguration(reason: "domainURL holds a space or a control character")
            case 0x80...:
                throw .invalidConfiguration(reason: "domainURL is not ASCII: give the name in its `xn--` form")
            default: break
            }
        }
        if domain.utf8.first == UInt8(ascii: "[") { return try splitBrackets(domain) }
        if colons > 1 { return ("[\(try checkIPv6(domain))]", nil) }
        guard colons == 1, let colon = domain.firstIndex(of: ":") else { return (try checkName(domain), nil) }
        let name = try checkName(String(domain[..<colon]))
        return (name, try checkPort(domain[domain.index(after: colon)...]))
    }

    private static func splitBrackets(_ domain: String) throws(RepositoryError) -> (String, Int?) {
        guard let close = domain.firstIndex(of: "]") else {
            throw .invalidConfiguration(reason: "domainURL lacks the closing bracket of an IPv6 address")
        }
        let address = try checkIPv6(String(domain[domain.index(after: domain.startIndex)..<close]))
        let rest = domain[domain.index(after: close)...]
        guard !rest.isEmpty else { return ("[\(address)]", nil) }
        guard rest.first == ":" else {
            throw .invalidConfiguration(reason: "domainURL has something after its IPv6 address that is no port")
        }
        return ("[\(address)]", try checkPort(rest.dropFirst()))
    }

    private static func checkPort(_ text: Substring) throws(RepositoryError) -> Int {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), let port = Int(text) else {
            throw .invalidConfiguration(reason: "the port in domainURL is not a number between 1 and 65535")
        }
        return port
    }

    private static func checkIPv6(_ text: String) throws(RepositoryError) -> String {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else {
            throw .invalidConfiguration(reason: "domainURL is no host name, and no IPv6 address without a zone")
        }
        return text
    }

    private static func checkName(_ name: String) throws(RepositoryError) -> String {
        var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A name may end in the dot of the root.
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    byte.isDigit || (byte | 0x20).isASCIILowercaseLetter || byte == UInt8(ascii: "-")
                        || byte == UInt8(ascii: "_")
                }
        }
        guard isName, name.utf8.count <= 253 else {
            throw .invalidConfiguration(reason: "domainURL is no host name: give labels of letters, digits and `-`")
        }
        // A last label of digits alone makes it an IPv4 address, or nothing.
        if let last = labels.last, last.allSatisfy(\.isDigit) {
            let isAddress = labels.count == 4 && labels.allSatisfy { UInt8(Substring($0)) != nil && $0.count <= 3 }
            guard isAddress else { throw .invalidConfiguration(reason: "domainURL is no IPv4 address of four numbers") }
        }
        return name
    }
}
