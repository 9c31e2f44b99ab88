import MastheadNetworking

nonisolated extension NetworkingConfiguration {
    static let production = NetworkingConfiguration(domainURL: "bookmarks.example.com", subdomainURL: "/api") {
        $0.timeout = .seconds(20)
    }
    static let staging = NetworkingConfiguration(domainURL: "127.0.0.1", port: 8080) {
        $0.useSecureConnection = false
    }
}

// snippet
nonisolated struct Bookmark: Codable, Identifiable, Sendable {
    let id: String
    let articleID: String
}

nonisolated enum BookmarkError: String, CustomRepositoryError {
    case unknownBookmark
}

nonisolated final class BookmarkRepository: AbstractRepository, @unchecked Sendable {
    func bookmark(_ id: Bookmark.ID) async -> Result<Bookmark, RepositoryError> {
        await perform(.get("bookmarks/\(id)")).mapCustomError([404: BookmarkError.unknownBookmark])
    }
}
// end
