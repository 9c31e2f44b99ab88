package import FoundationEssentials
import MastheadLock

extension NetworkingConfiguration {
    /// The absolute URL of a path and a query below the base.
    ///
    /// The base's path always stays; there is one slash between both, and at the end as many as the path was written
    /// with. Each part is percent-encoded once.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` for an impossible path, ``RepositoryError/invalidRequest(reason:)``
    ///   for an impossible parameter, ``RepositoryError/invalidConfiguration(reason:)`` for an impossible base.
    package func url(for path: RequestPath, query: Parameters = [:]) throws(RepositoryError) -> URL {
        if let problem = path.problem { throw .invalidURL(reason: problem) }
        return try BaseURL(self).url(for: path, query: query)
    }

    /// The URL a server gave for what comes next, on the configured scheme, host and port.
    ///
    /// A next page's URL is the server's word, and the client key goes there: so only its path and query count, and the
    /// path must lie below the base's. Servers behind a proxy or in another environment name a scheme and a host that
    /// are not the ones they were asked at. Path and query stay as they came, but for characters no URL may hold; a
    /// fragment goes. A path alone, with its query, will do.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` for anything else.
    package func url(pinnedToOrigin string: String) throws(RepositoryError) -> URL {
        let base = try BaseURL(self)
        let target = try PinnedTarget(string, base: base)
        var bytes = Array(base.origin.utf8)
        bytes.append(target.pathAndQuery, allowing: .finished)
        return try BaseURL.url(bytes)
    }
}

extension BaseURL {
    /// The absolute URL of a path and a query below this base.
    func url(for path: RequestPath, query: Parameters) throws(RepositoryError) -> URL {
        if let problem = path.problem { throw .invalidURL(reason: problem) }
        guard query.elements.isEmpty else { return try makeURL(for: path, query: query) }
        // Apps ask for the same again and again, and Foundation's reading of a URL is what costs most of a request.
        if let url = last.withLock({ $0?.path == path ? $0?.url : nil }) { return url }
        let url = try makeURL(for: path, query: query)
        last.withLock { $0 = Known(path: path, url: url) }
        return url
    }

    private func makeURL(for path: RequestPath, query: Parameters) throws(RepositoryError) -> URL {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + self.path.utf8.count + path.encoded.utf8.count + 32 * query.elements.count)
        bytes.append(contentsOf: origin.utf8)
        bytes.append(contentsOf: self.path.utf8)
        if path.encoded == "/" || (path.encoded.isEmpty && (self.path.isEmpty || endsWithSlash)) {
            bytes.append(UInt8(ascii: "/"))
        } else if !path.encoded.isEmpty {
            bytes.append(UInt8(ascii: "/"))
            bytes.append(contentsOf: path.encoded.utf8)
        }
        let end = bytes.count
        bytes.append(UInt8(ascii: "?"))
        try query.append(to: &bytes, as: .query)
        if bytes.count == end + 1 { bytes.removeLast() }
        return try Self.url(bytes)
    }

    fileprivate static func url(_ bytes: [UInt8]) throws(RepositoryError) -> URL {
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self), encodingInvalidCharacters: false) else {
            throw .invalidURL(reason: "path and query make no URL")
        }
        return url
    }
}

/// A URL from a server, checked against a base.
private struct PinnedTarget {
    let pathAndQuery: Substring

    init(_ string: String, base: BaseURL) throws(RepositoryError) {
        guard !string.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw .invalidURL(reason: "the server's URL holds a space, a control character or a backslash")
        }
        var rest = Substring(string.utf8.prefix { $0 != UInt8(ascii: "#") })
        if !rest.hasPrefix("/") || rest.hasPrefix("//") {
            rest = try Self.dropOrigin(rest)
        }
        if !rest.hasPrefix("/") { throw .invalidURL(reason: "the server's URL has no path") }
        pathAndQuery = rest
        let path = Substring(rest.utf8.prefix { $0 != UInt8(ascii: "?") })
        guard path == base.path || path.utf8.starts(with: (base.path + "/").utf8) else {
            throw .invalidURL(reason: "the server's URL leads out of the configured path")
        }
        // Bytes, not characters: an accent behind a slash makes one character of both.
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            let plain = Substring(segment).lowercased().replacing("%2e", with: ".")
            guard plain != ".", plain != ".." else {
                throw .invalidURL(reason: "the server's URL has a `.` or `..` segment")
            }
        }
    }

    /// Leaves scheme, host and port out: the configured ones stand for them, whatever they are.
    private static func dropOrigin(_ text: Substring) throws(RepositoryError) -> Substring {
        let scheme = text.prefix(8).lowercased()
        let length = scheme.hasPrefix("http://") ? 7 : 8
        guard length == 7 || scheme == "https://" else {
            throw .invalidURL(reason: "the server's URL is neither `http` nor `https`")
        }
        let afterScheme = text.dropFirst(length)
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
        do {
            _ = try HostPort(String(authority), of: "the URL")
        } catch {
            throw .invalidURL(reason: "the server's URL has no host")
        }
        return afterScheme.dropFirst(authority.count)
    }
}
