/// A URI or a relative reference in its five parts (RFC 3986, section 3), kept as written.
///
/// `FoundationEssentials.URL` is not asked: it repairs what it does not like, and a redirect target is the last place
/// where a repair should decide which server gets a request.
package struct URLReference: Sendable, Hashable {
    package var scheme: String?
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Takes a string apart at its delimiters (RFC 3986, appendix B); any string has parts.
    ///
    /// At bytes, not at characters: an accent behind a slash makes one character of both.
    package init(_ text: some StringProtocol) {
        var rest = Substring(text)
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[rest.utf8.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.utf8.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The whole as one string (RFC 3986, section 5.3).
    package var text: String {
        (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path
            + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }

    /// What this reference means at a base (RFC 3986, section 5.2.2); the base must be absolute.
    package func resolved(against base: URLReference) -> URLReference {
        var target = self
        target.scheme = scheme ?? base.scheme
        if scheme != nil || authority != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(base.pathBeforeLastSegment + path)
        }
        return target
    }

    /// The same reference with the host's name in ASCII: what goes to the wire.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` if the host is none.
    func withASCIIHost() throws(RepositoryError) -> URLReference {
        guard let authority, authority.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else {
            return self
        }
        let origin = try Origin(self)
        var plain = self
        plain.authority = "\(origin.host):\(origin.port)"
        if origin.port == (origin.isSecure ? 443 : 80) { plain.authority = origin.host }
        return plain
    }

    /// The path a relative one is put behind (RFC 3986, section 5.2.3).
    private var pathBeforeLastSegment: String {
        if authority != nil, path.isEmpty { return "/" }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    /// Removes `.` and `..` segments (RFC 3986, section 5.2.4); `..` never climbs above the root.
    static func withoutDotSegments(_ path: String) -> String {
        guard path.contains(".") else { return path }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst(isAbsolute ? 1 : 0).map { Substring($0) }
        var kept: [Substring] = []
        for (place, segment) in zip(1..., segments) {
            let isLast = place == segments.count
            switch segment {
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            case ".":
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// Whether it is a scheme's name (RFC 3986, section 3.1).
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
    }
}

extension UInt8 {
    /// Whether it is A to Z or a to z.
    var isASCIILetter: Bool { (self | 0x20).isASCIILowercaseLetter }
}
