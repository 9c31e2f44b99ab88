import FoundationEssentials
import MastheadCrypto
import MastheadNetworking

/// How the answer for a request is named.
struct AnswerName: Hashable, Sendable {
    /// The method and the target for people, without secrets.
    let request: String

    /// The names with and without the query, without secrets: for files, and for people.
    let names: [String]

    /// The names as they are looked for in a folder, whose files a hand may have named: with what is secret, then without.
    let lookups: [String]

    /// The routes as they are looked for in a table: with what is secret, then without.
    let routes: [String]

    /// Names a request; its path counts from the configuration's base, and a host that is not the configuration's comes first.
    init(_ request: HTTPRequest, _ configuration: NetworkingConfiguration) {
        let method = request.method.rawValue
        let plain = Target(request.url.absoluteString, configuration)
        let safe = Target(Redaction(configuration).url(request.url), configuration)
        self.request = "\(method) \(safe.text)"
        names = safe.names(method)
        lookups = Self.alternating(plain.names(method), names)
        routes = Self.alternating(plain.routes(method), safe.routes(method))
    }

    private static func alternating(_ plain: [String], _ safe: [String]) -> [String] {
        zip(plain, safe).flatMap { $0 == $1 ? [$0] : [$0, $1] }
    }

    /// A route such as `GET /volumes?page=2` as it is looked for; `nil` if it is none.
    static func route(_ route: String) -> String? {
        let parts = route.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/") else { return nil }
        let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return Target(path: halves[0], query: halves.count > 1 ? halves[1] : nil).routes(parts[0]).first
    }
}

/// What is asked for, below a configuration's base.
private struct Target {
    let path: String
    let query: String?

    var text: String { path + (query.map { "?\($0)" } ?? "") }

    init(path: String, query: String?) {
        self.path = path
        self.query = query
    }

    init(_ url: String, _ configuration: NetworkingConfiguration) {
        let reference = URLReference(url)
        let host = Self.host(of: reference.authority ?? "")
        var path = reference.path
        if host != Self.host(of: configuration.domainURL) {
            path = "/\(host)\(path)"
        } else {
            let base = (configuration.subdomainURL ?? "").trimming { $0 == "/" }
            if !base.isEmpty, path == "/\(base)" || path.hasPrefix("/\(base)/") { path.removeFirst(base.count + 1) }
        }
        self.init(path: path.isEmpty ? "/" : path, query: reference.query)
    }

    /// Method and target with the query, if there is one; then without.
    ///
    /// Unlike the name of a file, no two targets share one.
    func routes(_ method: String) -> [String] {
        let plain = "\(method) /" + path.split(separator: "/").joined(separator: "/")
        return [query.map { "\(plain)?\($0)" }, plain].compactMap { $0 }
    }

    /// With the query, if there is one; then without.
    func names(_ method: String) -> [String] {
        let plain = ([method] + path.split(separator: "/").map(String.init)).joined(separator: "-")
        let whole = query.map { "\(plain)_\($0.replacing("&", with: "_"))" }
        return [whole, plain].compactMap { $0.map(Self.fileName) }
    }

    /// The host alone, without user, port and brackets.
    private static func host(of authority: String) -> String {
        let host = authority.split(separator: "@").last ?? ""
        if host.hasPrefix("[") { return host.dropFirst().prefix { $0 != "]" }.lowercased() }
        let isIPv6 = host.split(separator: ":", omittingEmptySubsequences: false).count > 2
        return isIPv6 ? host.lowercased() : host.prefix { $0 != ":" }.lowercased()
    }

    /// What a folder takes for a name: no `/`, and no more than 200 bytes, the digest of all of it at the end.
    private static func fileName(_ name: String) -> String {
        let name = name.replacing("/", with: "-")
        guard name.utf8.count > 200, let digest = try? Digest.sha256(name.utf8) else { return name }
        return String(decoding: name.utf8.prefix(180), as: UTF8.self) + "-" + digest.hexadecimal.prefix(16)
    }
}
