import FoundationEssentials
import MastheadNetworking

/// How the catalogue's repositories ask: where, with what, and whether for drafts too.
struct CatalogueAccess: Sendable {
    let configuration: NetworkingConfiguration
    let session: (any RepositorySession)?
    let cache: ModelCache?
    let cachePolicy: CachePolicy
    let executor: any RequestExecutor
    let showsPreviews: Bool

    /// Adds what the publisher's API wants of every request to it, and of no other.
    func authorize(_ request: inout HTTPRequest) throws(RepositoryError) {
        request.url = try Self.escapingPlus(request.url)
        if !isSessionAuthorized {
            guard let key = configuration.clientKey?.value else {
                throw .invalidConfiguration(reason: "clientKey is not set: the catalogue answers nobody without one")
            }
            request.headers["Authorization"] = "method=clientkey,token=\(key)"
        }
        if showsPreviews { request.headers["X-Preview-App"] = "preview" }
    }

    /// Whether the field of the client key is the session's.
    private var isSessionAuthorized: Bool {
        session != nil && configuration.authorization.field.lowercased() == "authorization"
    }

    /// Encodes each `+` of the path, which some servers take for a space there too: dates have one in their offset.
    private static func escapingPlus(_ url: URL) throws(RepositoryError) -> URL {
        let text = url.absoluteString
        let end = text.firstIndex(of: "?") ?? text.endIndex
        guard text[..<end].contains("+") else { return url }
        let path = String(text[..<end]).replacing("+", with: "%2B")
        guard let escaped = URL(string: path + text[end...]) else {
            throw .invalidURL(reason: "the path makes no URL")
        }
        return escaped
    }
}
