import MastheadNetworking
import MastheadPublishing

nonisolated struct Shelf: Codable, Sendable {
    let title: String
}

nonisolated private func show(_ shelf: Shelf, isOld: Bool = false) {}
nonisolated private func show(_ bookmark: Bookmark) {}
nonisolated private func show(_ issue: Issue) {}
nonisolated private func showHint(_ error: RepositoryError) {}

// snippet
nonisolated final class ReadingRepository: AbstractRepository, @unchecked Sendable {
    func volume(_ id: String) async -> Result<Shelf, RepositoryError> {
        await perform(.get("volumes/\(id)").cached(.networkFirst(fallback: .seconds(30 * 86400))))
    }

    func volumeOffline(_ id: String) async -> Result<CacheEntry<Shelf>, RepositoryError> {
        await performCached(.get("volumes/\(id)").cached(.cacheOnly))
    }

    func volumeNow(_ id: String) -> RefreshingResults<Shelf> {
        performRefreshing(.get("volumes/\(id)"))
    }
}
// end

nonisolated private func cached(_ caches: String, _ store: any TokenStore, _ bookmark: Bookmark) async throws {
    // snippet
    let cache = ModelCache(folder: caches + "masthead")
    let session = SessionManager<Reader>(store: store, cache: cache)
    let volumes = ReadingRepository(configuration: .production, session: session, cache: cache)
    // end

    // snippet
    for await result in volumes.volumeNow("orbit") {
        switch result {
        case .success(let entry): show(entry.value, isOld: entry.freshness == .stale)
        case .failure(let error): showHint(error)
        }
    }
    // end

    // snippet
    guard let shelf = volumes.cached else { return }
    try await shelf.set(bookmark, for: bookmark.id, timeToLive: .seconds(3600), tags: ["orbit"])
    let fresh = await shelf.value(Bookmark.self, for: "b-7")
    let every = await shelf.entries(Bookmark.self, tagged: "orbit")
    // end
    _ = (fresh, every)

    // snippet
    for await entry in shelf.changes(Bookmark.self, for: "b-7") {
        if let entry { show(entry.value) }
    }
    // end
}

nonisolated private func offline(_ caches: String) async {
    // snippet
    let cache = ModelCache(folder: caches + "masthead")
    let issues = IssueRepository(configuration: .production, cache: cache, cachePolicy: .networkFirst())

    switch await issues.issue("64a0c0ffee0000000000b001") {
    case .success(let issue): show(issue)  // offline too, once it was read
    case .failure(let error): showHint(error)
    }
    // end
}
