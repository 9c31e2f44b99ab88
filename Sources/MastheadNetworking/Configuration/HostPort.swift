import MastheadTransport

/// A host with or without a port behind it, as a person writes them into a configuration.
struct HostPort {
    /// The host as it stands in a URL: a name in ASCII, an IPv6 address in brackets.
    let host: String

    /// The port; `nil` if none is there.
    let port: Int?

    /// Takes a text apart, and checks both.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - property: What it is, for the error.
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)``.
    init(_ text: String, of property: String) throws(RepositoryError) {
        do throws(Problem) {
            self = try Self.read(text)
        } catch {
            let advice = property == "domainURL" ? error.advice : ""
            throw .invalidConfiguration(reason: "\(property) \(error.text)\(advice)")
        }
    }

    /// Whether the host is an IPv4 or IPv6 address.
    var isAddress: Bool {
        host.hasPrefix("[") || IPAddress(host) != nil
    }

    private init(host: String, port: Int? = nil) {
        self.host = host
        self.port = port
    }

    private struct Problem: Error {
        let text: String
        /// Where the rest belongs, if the text is the domain of a configuration.
        var advice = ""
    }

    private static func read(_ text: String) throws(Problem) -> HostPort {
        guard !text.isEmpty else { throw Problem(text: "is empty: give the host's name or address") }
        var colons = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: ":"): colons += 1
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"):
                throw text.contains("://")
                    ? Problem(text: "holds a scheme: give the host alone", advice: ", and set useSecureConnection")
                    : Problem(text: "holds a path: give the host alone", advice: ", and the path as subdomainURL")
            case UInt8(ascii: "@"): throw Problem(text: "holds user information: give the host alone")
            case 0...0x20, 0x7F: throw Problem(text: "holds a space or a control character")
            default: break
            }
        }
        if text.utf8.first == UInt8(ascii: "[") { return try readBrackets(text) }
        if colons > 1 { return HostPort(host: "[\(try checkIPv6(text))]") }
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return HostPort(host: try checkName(text)) }
        let name = try checkName(String(text[..<colon]))
        return HostPort(host: name, port: try readPort(text[text.index(after: colon)...]))
    }

    private static func readBrackets(_ text: String) throws(Problem) -> HostPort {
        guard let close = text.firstIndex(of: "]") else {
            throw Problem(text: "lacks the closing bracket of an IPv6 address")
        }
        let address = try checkIPv6(String(text[text.index(after: text.startIndex)..<close]))
        let rest = text[text.index(after: close)...]
        guard !rest.isEmpty else { return HostPort(host: "[\(address)]") }
        guard rest.first == ":" else { throw Problem(text: "has something after its IPv6 address that is no port") }
        return HostPort(host: "[\(address)]", port: try readPort(rest.dropFirst()))
    }

    private static func readPort(_ text: Substring) throws(Problem) -> Int {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), let port = Int(text),
            1...65535 ~= port
        else { throw Problem(text: "holds a port that is no number between 1 and 65535") }
        return port
    }

    private static func checkIPv6(_ text: String) throws(Problem) -> String {
        guard let address = IPAddress(text), !address.isIPv4 else {
            throw Problem(text: "is no host name, and no IPv6 address without a zone")
        }
        return text
    }

    private static func checkName(_ text: String) throws(Problem) -> String {
        var name = text
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = HostName.ascii(of: text) else {
                throw Problem(text: "is no host name: its letters beyond ASCII have no `xn--` form")
            }
            name = ascii
        }
        guard HostName.isName(name) else {
            throw Problem(text: "is no host name: give labels of letters, digits and `-`")
        }
        // A last label of digits alone makes it an IPv4 address, or nothing.
        let last = name.utf8.split(separator: UInt8(ascii: ".")).last
        guard last?.allSatisfy(\.isDigit) != true || IPAddress(name) != nil else {
            throw Problem(text: "is no IPv4 address of four numbers")
        }
        return name
    }
}
