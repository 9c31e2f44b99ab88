import FoundationEssentials
import MastheadNetworking

extension LibrarySync {
    /// Saves what is new of articles, with their assets; those that came without their text are fetched.
    ///
    /// - Parameters:
    ///   - came: The articles, as a list or an answer of their own has them.
    ///   - standAlone: Whether they are to stay whatever becomes of the issues that hold them.
    /// - Throws: What the catalogue or the database says.
    mutating func take(articles came: [Article], standAlone: Bool) async throws(LibraryError) {
        let stored = try await library.knownArticles(came.map(\.id))
        var unit = SyncUnit()
        for article in came {
            if !article.isStub {
                unit.articles.append(article)
            } else if Article.Stub(id: article.id, updated: article.updated).isNews(to: stored[article.id]) {
                unit.wantedArticles.append(article.id)
            }
        }
        if standAlone { unit.loners = came.map(\.id).filter { stored[$0]?.standsAlone != true } }
        try await finish(unit)
    }

    /// Saves what is new of one article, and of all its assets.
    mutating func take(whole article: Article, standsAlone: Bool) async throws(LibraryError) {
        let stored = try await library.knownArticles([article.id])
        var unit = SyncUnit()
        unit.articles = [article]
        unit.wantedAssets = article.assetIDs
        if standsAlone, stored[article.id]?.standsAlone != true { unit.loners = [article.id] }
        try await finish(unit)
    }

    /// Brings the articles up to date that are here, whichever holds them.
    ///
    /// - Parameter mark: Up to when the library has everything; `nil` if that is not known.
    /// - Throws: What the catalogue or the database says.
    mutating func bringArticles(since mark: Date?) async throws(LibraryError) {
        guard let mark else {
            // Those of issues have come with their issues.
            for ids in try await library.looseArticles().chunks(of: 200) {
                var unit = SyncUnit()
                unit.wantedArticles = Array(ids)
                try await finish(unit)
            }
            return
        }
        let articles = catalogue.articles
        let list =
            catalogue.showsPreviews
            ? articles.all(limit: 100, since: mark) : articles.allPublished(limit: 100, since: mark)
        try await walk(list) { (sync, page) async throws(LibraryError) in
            if !page.isEmpty { sync.hasNews = true }
            let here = try await sync.library.knownArticles(page.map(\.id))
            try await sync.take(articles: page.filter { here[$0.id] != nil }, standAlone: false)
        }
    }
}
