import FoundationEssentials
import MastheadNetworking

/// How the answer for a request is named.
struct AnswerName: Hashable, Sendable {
    /// The method and the target, for people.
    let request: String

    /// With the query, if there is one; then without.
    let names: [String]

    /// Names a request; its path counts from the configuration's base, and a host that is not the configuration's comes first.
    init(_ request: HTTPRequest, _ configuration: NetworkingConfiguration) {
        let url = request.url
        var path = url.path(percentEncoded: true)
        let host = url.host(percentEncoded: false) ?? ""
        let ownHost = configuration.domainURL.trimming { "[]".contains($0) }.lowercased()
        let isOwn = host.trimming { "[]".contains($0) }.lowercased() == ownHost
        let base = (configuration.subdomainURL ?? "").trimming { $0 == "/" }
        if isOwn, !base.isEmpty, path == "/\(base)" || path.hasPrefix("/\(base)/") { path.removeFirst(base.count + 1) }
        self.init(
            method: request.method.rawValue,
            path: (isOwn ? "" : "/" + host) + path,
            query: url.query(percentEncoded: true)
        )
    }

    /// Names a route such as `GET /volumes?page=2`; `nil` if it is none.
    init?(route: String) {
        let parts = route.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/") else { return nil }
        let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self.init(method: parts[0], path: halves[0], query: halves.count > 1 ? halves[1] : nil)
    }

    private init(method: String, path: String, query: String?) {
        let segments = [method] + path.split(separator: "/").map(String.init)
        let plain = segments.joined(separator: "-").replacing("/", with: "-")
        request = "\(method) \(path)" + (query.map { "?\($0)" } ?? "")
        names = (query.map { ["\(plain)_\($0.replacing("&", with: "_").replacing("/", with: "-"))"] } ?? []) + [plain]
    }
}
