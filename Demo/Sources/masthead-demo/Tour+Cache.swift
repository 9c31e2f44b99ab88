import MastheadNetworking
import MastheadPublishing

extension Tour {
    /// What was read once is kept: the issues of some volumes, and the app's own note beside them.
    func showCache(of ids: [Issue.ID], _ configuration: NetworkingConfiguration, in folder: String) async throws(Stop) {
        begin(
            "What was read is kept",
            code: """
                let cache = ModelCache(folder: folder)
                let issues = IssueRepository(configuration: configuration, cache: cache, cachePolicy: .networkFirst())
                """
        )
        let cache = ModelCache(folder: folder)
        let issues = IssueRepository(configuration: configuration, cache: cache, cachePolicy: .networkFirst())
        for id in ids { _ = try need("an issue", await issues.issue(id)) }
        do throws(CacheError) {
            try await issues.cached?.set(ids.map(\.rawValue), for: "read", tags: ["demo"])
            try await cache.close()
        } catch {
            throw Stop(message: "the cache: \(error)")
        }
        ledger.note("\(ids.count) issues are kept in a file, and a list of the app's own", !ids.isEmpty)
    }

    /// The app starts again, and the publisher is gone.
    func showOffline(of ids: [Issue.ID], _ configuration: NetworkingConfiguration, in folder: String) async {
        let cache = ModelCache(folder: folder)
        let issues = IssueRepository(configuration: configuration, cache: cache, cachePolicy: .networkFirst())
        var titles: [String] = []
        for id in ids {
            if case .success(let issue) = await issues.issue(id) { titles.append(issue.title) }
        }
        for title in titles { terminal.detail(title) }
        ledger.note("\(titles.count) issues are read without it, from the disk", titles.count == ids.count)
        let read = await issues.cached?.value([String].self, for: "read")
        ledger.note("and the app's own list with them", read == ids.map(\.rawValue))
        let unread = IssueRepository(configuration: configuration, cache: cache, cachePolicy: .cacheOnly)
        if case .failure(.notCached) = await unread.issue("never-read") {
            ledger.note("what was never read is .notCached")
        } else {
            ledger.note("what was never read is .notCached, not something", false)
        }
    }
}
