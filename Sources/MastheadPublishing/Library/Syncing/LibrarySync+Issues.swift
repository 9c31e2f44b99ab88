import FoundationEssentials
import MastheadNetworking

extension LibrarySync {
    /// How many issues are asked for one by one before the whole list is read instead.
    private static var fewIssues: Int { 4 }

    /// How many articles are fetched for one transaction, about.
    private static var articlesAtOnce: Int { 200 }

    /// Brings issues up to date, and those that are not here into the library.
    ///
    /// Where it is known up to when the library has everything, what changed since is asked for, whichever issue it is of.
    ///
    /// - Parameters:
    ///   - wanted: The issues.
    ///   - mark: Up to when the library has everything; `nil` if that is not known.
    ///   - depth: How much of them is wanted.
    /// - Throws: What the catalogue or the database says.
    mutating func bring(
        issues wanted: [Issue.ID],
        since mark: Date?,
        _ depth: Depth
    ) async throws(LibraryError) {
        var missing = Set(wanted)
        if let mark, try await library.issues.count() > 0 {
            missing.subtract(try await library.knownIssues(wanted))
            var lists = [catalogue.issues.allPublished(limit: 100, since: mark)]
            if catalogue.showsPreviews { lists.append(catalogue.issues.allPreviews(limit: 100, since: mark)) }
            let wanted = Set(wanted)
            for list in lists {
                try await walk(list) { (sync, page) async throws(LibraryError) in
                    if !page.isEmpty { sync.hasNews = true }
                    let ids = page.map(\.id)
                    let others = try await sync.library.knownIssues(ids.filter { !wanted.contains($0) })
                    try await sync.take(issues: page.filter { wanted.contains($0.id) }, depth)
                    try await sync.take(issues: page.filter { others.contains($0.id) }, .asBefore)
                    missing.subtract(ids)
                }
            }
        }
        if missing.count > Self.fewIssues {
            try await walk(catalogue.issues.allPublished(limit: 100).pages) { (sync, page) async throws(LibraryError) in
                let found = page.filter { missing.contains($0.id) }
                try await sync.take(issues: found, depth)
                missing.subtract(found.map(\.id))
                return !missing.isEmpty
            }
        }
        for ids in wanted.filter(missing.contains).chunks(of: 50) {
            let found: [Issue] = try await singly(Array(ids), from: catalogue.issues) { .issue($0) }
            try await take(issues: found, depth, areWhole: true)
            try await removeIssues(ids.filter { id in !found.contains { $0.id == id } })
        }
    }

    /// Removes issues that the server has said there are none of, if no volume lists them.
    private mutating func removeIssues(_ gone: [Issue.ID]) async throws(LibraryError) {
        var unit = SyncUnit()
        unit.goneIssues = Array(try await library.knownIssues(gone))
        try await finish(unit)
    }

    /// Saves what is new of issues, with their articles and assets.
    ///
    /// While one unit is written, the articles of the next are fetched.
    ///
    /// - Parameters:
    ///   - came: The issues, as a list or an answer of their own has them.
    ///   - depth: How much of them is wanted.
    ///   - areWhole: Whether there is no more to know of them than what came.
    /// - Throws: What the catalogue or the database says.
    mutating func take(issues came: [Issue], _ depth: Depth, areWhole: Bool = false) async throws(LibraryError) {
        // A list may have nothing but ids, or leave the articles out.
        let bare = areWhole ? [] : came.filter(\.articles.isEmpty).map(\.id)
        let whole: [Issue] = try await singly(bare, from: catalogue.issues) { .issue($0) }
        var units: [SyncUnit] = [SyncUnit()]
        for issue in came.filter({ areWhole || !$0.articles.isEmpty }) + whole {
            try await add(issue, to: &units[units.count - 1], depth)
            if units[units.count - 1].wantedArticles.count >= Self.articlesAtOnce { units.append(SyncUnit()) }
        }
        try await finish(units)
    }

    /// Adds an issue to a unit, with what has to be fetched for it.
    private mutating func add(
        _ came: Issue,
        to unit: inout SyncUnit,
        _ depth: Depth
    ) async throws(LibraryError) {
        var issue = came
        let known = try await library.issue(issue.id)
        if let known {
            // An answer from before what is here, as of a server that lags behind.
            if let new = issue.updated, let old = known.updated, new < old { return }
            let (item, policy) = (LibraryItem.issue(issue.id), library.shrinkage)
            let (_, gone) = await unit.settle(issue.articleIDs, known.articleIDs, .articles, item, policy)
            if gone.isEmpty {
                let listed = Set(issue.articleIDs)
                issue.articles += known.articles.filter { !listed.contains($0.id) }
            }
            unit.unlinkedArticles += gone
            issue.assetIDs = await unit.settle(issue.assetIDs, known.assetIDs, of: item, policy)
            // What an answer leaves out of these is no news.
            if Set(issue.volumeIDs).isSubset(of: known.volumeIDs) { issue.volumeIDs = known.volumeIDs }
        }
        if issue != known {
            unit.issues.append(issue)
            let covers = [issue.coverPhoneID, issue.coverTabletID, issue.coverTabletLandscapeID]
            unit.wantedAssets += issue.assetIDs + covers.compactMap { $0 }
        }
        guard depth != .itself else { return }
        let stored = try await library.knownArticles(issue.articleIDs)
        if depth == .asBefore, let known, !known.articles.isEmpty,
            try await library.knownArticles(known.articleIDs).isEmpty
        {
            return
        }
        for stub in issue.articles where stub.isNews(to: stored[stub.id]) && asked.insert(stub.id).inserted {
            unit.wantedArticles.append(stub.id)
        }
    }
}

extension Article.Stub {
    /// Whether an article has to be fetched; what is not known may have changed.
    func isNews(to known: KnownArticle?) -> Bool {
        guard let known, known.hasText, let old = known.updated, let updated else { return true }
        return updated > old
    }
}
