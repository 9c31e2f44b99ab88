/// What a server needs to know of a request.
public struct ServerRequest: Sendable {
    public let method: String

    /// The path's segments, percent-decoded.
    public let segments: [String]

    /// The query's members, percent-decoded; the last of a name counts.
    public let query: [String: String]

    /// The path as it came, for the links of a page.
    public let path: String

    public let host: String
    public let authorization: String?
    public let previewApp: String?

    /// Which bytes are asked for, and of which state alone (RFC 9110, sections 13.1.5 and 14.2).
    public var range: String?
    public var ifRange: String?

    /// Takes a request target (RFC 9112, section 3.2) apart.
    ///
    /// - Returns: `nil` if it is no path, or says what is no percent-encoded UTF-8.
    public init?(method: String, target: String, host: String, authorization: String?, previewApp: String?) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = halves.first, path.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for segment in path.split(separator: "/") {
            guard let decoded = Self.decode(segment) else { return nil }
            segments.append(decoded)
        }
        var query: [String: String] = [:]
        for member in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let pair = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(pair[0]), let value = Self.decode(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            query[name] = value
        }
        self.method = method
        self.segments = segments
        self.query = query
        self.path = String(path)
        self.host = host
        self.authorization = authorization
        self.previewApp = previewApp
    }

    private static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
