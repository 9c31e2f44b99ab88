import MastheadNetworking

/// What is written in one transaction: what came, what has still to be fetched for it, and what nothing holds any more.
struct SyncUnit: Sendable {
    var volumes: [Volume] = []
    var issues: [Issue] = []
    var articles: [Article] = []
    var assets: [Asset] = []

    /// Articles to fetch.
    var wantedArticles: [Article.ID] = []

    /// Assets to fetch, whether they are here or not: what holds them has changed.
    var wantedAssets: [Asset.ID] = []

    /// Articles that stay, whatever becomes of the issues that hold them.
    var loners: [Article.ID] = []

    /// What was taken out of a list.
    var unlinkedArticles: [Article.ID] = []
    var unlinkedAssets: [Asset.ID] = []

    /// What the server said that it does not have any more.
    var goneVolumes: [Volume.ID] = []
    var goneIssues: [Issue.ID] = []

    /// What was asked for, and did not come.
    var unknown: [LibraryItem] = []

    /// Lists that came back shorter, and were not believed.
    var keptLists: [ShrunkenList] = []

    /// How many requests it took.
    var requestCount = 0

    /// Fetches what is wanted, and leaves out what is here already.
    func prepared(for library: Library, from catalogue: Catalogue) async -> Result<SyncUnit, LibraryError> {
        var unit = self
        do throws(LibraryError) {
            try await unit.fetchArticles(library, catalogue)
            try await unit.fetchAssets(library, catalogue)
        } catch {
            return .failure(error)
        }
        return .success(unit)
    }

    private mutating func fetchArticles(_ library: Library, _ catalogue: Catalogue) async throws(LibraryError) {
        let answer = try await catalogue.articles.batches(of: wantedArticles)
        requestCount += answer.requestCount
        let found = Set(answer.found.map(\.id))
        unknown += wantedArticles.filter { !found.contains($0) }.map { .article($0) }
        let news = try await library.news(among: articles + answer.found)
        articles = []
        var ofNew: [Asset.ID] = []
        for (article, known) in news {
            var article = article
            if let known {
                let item = LibraryItem.article(article.id)
                article.assetIDs = await settle(article.assetIDs, known.assetIDs, of: item, library.shrinkage)
                wantedAssets += article.assetIDs
            } else {
                ofNew += article.assetIDs
            }
            if article != known { articles.append(article) }
        }
        let here = try await library.knownAssets(ofNew.unique())
        wantedAssets += ofNew.filter { !here.contains($0) }
    }

    private mutating func fetchAssets(_ library: Library, _ catalogue: Catalogue) async throws(LibraryError) {
        let answer: (found: [Asset], requestCount: Int) = try await catalogue.assets.batches(of: wantedAssets)
        requestCount += answer.requestCount
        assets = try await library.news(among: answer.found)
    }

    /// What is to be done to the library.
    var changes: LibraryChanges {
        var changes = LibraryChanges()
        if !assets.isEmpty { changes.save(assets) }
        if !articles.isEmpty { changes.save(articles) }
        if !issues.isEmpty { changes.save(issues) }
        if !volumes.isEmpty { changes.save(volumes) }
        if !loners.isEmpty { changes.append(.letStandAlone(loners)) }
        let remnants = LibraryRemnants(
            volumes: goneVolumes,
            issues: goneIssues,
            articles: unlinkedArticles,
            assets: unlinkedAssets
        )
        if !remnants.isEmpty { changes.append(.prune(remnants)) }
        return changes
    }
}
