import FoundationEssentials
import MastheadSQLite

/// What is to be known of an article that is here, to decide whether it has to be fetched.
struct KnownArticle: Sendable, Hashable {
    let updated: Date?
    let hasText: Bool
    let standsAlone: Bool
}

// What a sync has to know of what is here.
extension Library {
    /// Which of these issues are here.
    func knownIssues(_ ids: [Issue.ID]) async throws(LibraryError) -> Set<Issue.ID> {
        try await readAll { connection throws(DatabaseError) in
            var known: Set<Issue.ID> = []
            for id in ids {
                try connection.first("SELECT 1 FROM issue WHERE id = ?", id.rawValue) { _ in _ = known.insert(id) }
            }
            return known
        }
    }

    /// Which of these articles are here.
    func knownArticles(_ ids: [Article.ID]) async throws(LibraryError) -> [Article.ID: KnownArticle] {
        try await readAll { connection throws(DatabaseError) in
            var known: [Article.ID: KnownArticle] = [:]
            for id in ids {
                known[id] = try connection.first(
                    """
                    SELECT e.updated, b.number IS NOT NULL, e.standsAlone
                    FROM article e LEFT JOIN article_body b ON b.number = e.number WHERE e.id = ?
                    """,
                    id.rawValue
                ) { row in
                    KnownArticle(updated: Date(column: row[0]), hasText: row[1], standsAlone: row[2])
                }
            }
            return known
        }
    }

    /// Which of these assets are here.
    func knownAssets(_ ids: [Asset.ID]) async throws(LibraryError) -> Set<Asset.ID> {
        try await readAll { connection throws(DatabaseError) in
            var known: Set<Asset.ID> = []
            for id in ids {
                try connection.first("SELECT 1 FROM asset WHERE id = ?", id.rawValue) { _ in _ = known.insert(id) }
            }
            return known
        }
    }

    /// Whether there is no issue here but these, and no article of none of them.
    func holdsNothing(but issues: [Issue.ID]) async throws(LibraryError) -> Bool {
        guard try await Set(self.issues.ids()).isSubset(of: issues) else { return false }
        return try await looseArticles().isEmpty
    }

    /// Up to when everything of a catalogue is here, by its server's clock; `nil` if that is not known.
    func syncMark(of catalogue: Catalogue) async throws(LibraryError) -> Date? {
        let name = catalogue.markName
        return try await read { connection throws(DatabaseError) in
            Date(column: try connection.value("SELECT date FROM sync_mark WHERE catalogue = ?", name))
        }
    }

    /// The articles that no issue holds which is here.
    func looseArticles() async throws(LibraryError) -> [Article.ID] {
        try await readAll { connection throws(DatabaseError) in
            try connection.all(
                """
                SELECT id FROM article e WHERE NOT EXISTS (
                    SELECT 1 FROM issue_article r JOIN issue i ON i.id = r.parent WHERE r.child = e.id
                ) ORDER BY number
                """
            ) { row in
                Article.ID(row[0])
            }
        }
    }

    /// Those of the articles that say something that is not here, each with what is; one that is older says nothing.
    func news(among articles: [Article]) async throws(LibraryError) -> [(article: Article, known: Article?)] {
        try await readAll { connection throws(DatabaseError) in
            var news: [(article: Article, known: Article?)] = []
            for article in articles {
                let known = try connection.article(article.id)
                if let new = article.updated, let old = known?.updated, new < old { continue }
                if article != known { news.append((article, known)) }
            }
            return news
        }
    }

    /// Those of the assets that say something that is not here; one that is older than what is here says nothing.
    func news(among assets: [Asset]) async throws(LibraryError) -> [Asset] {
        try await readAll { connection throws(DatabaseError) in
            var news: [Asset] = []
            for asset in assets {
                let known = try connection.asset(asset.id)
                if let new = asset.updated, let old = known?.updated, new < old { continue }
                if asset != known { news.append(asset) }
            }
            return news
        }
    }
}
