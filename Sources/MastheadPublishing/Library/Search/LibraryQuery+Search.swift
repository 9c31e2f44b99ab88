import MastheadSQLite

extension LibraryQuery<Article> {
    /// From so many hits on, only the latest ones are ranked: a word that is in most articles tells nothing anyway.
    private static var rankedHits: Int { 20_000 }

    /// How many are ranked then.
    private static var latestHits: Int { 4_000 }

    /// Only what says what is searched for, in the query's own order.
    ///
    /// See ``search(_:page:limit:)`` for the best first.
    public func matching(_ query: SearchQuery) -> Self {
        let text =
            query.expression.map { expression in
                QueryText(
                    sql: "e.number IN (SELECT rowid FROM article_text WHERE article_text MATCH ?)",
                    values: [.text(expression)]
                )
            } ?? QueryText(sql: "0")
        return with { $0.conditions.append(text) }
    }

    /// What says what is searched for, the best first.
    ///
    /// ```swift
    /// let hits = try await library.articles.inIssue("i1").search(SearchQuery("low water"))
    /// ```
    ///
    /// A word counts most in the title, then in the keywords, the author and the summary. Where more than 20,000 articles
    /// say it, the 4,000 that were saved last are ranked, unless the query is narrower than all articles. The query's own
    /// order and limit do not count.
    ///
    /// - Parameters:
    ///   - query: What to search for.
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many hits a page has; 0 or less means 20.
    /// - Returns: The hits of that page; empty past the last, and for an empty query.
    /// - Throws: What kept the library from being read, never what was searched for.
    @concurrent
    public func search(
        _ query: SearchQuery,
        page: Int = 1,
        limit: Int = 20
    ) async throws(LibraryError) -> [SearchHit] {
        let limit = limit > 0 ? limit : 20
        let (offset, isOver) = (max(1, page) - 1).multipliedReportingOverflow(by: limit)
        guard let expression = query.expression, !isOver else { return [] }
        let isWhole = parts.parent == nil && parts.conditions.isEmpty && !parts.isFeaturedOnly
        let subset = parts.statement("e.number", of: table, isCount: true)
        return try await library.readAll { connection throws(DatabaseError) in
            let numbers =
                isWhole
                ? try connection.bestHits(expression, Self.rankedHits, Self.latestHits, limit, offset)
                : try connection.bestHits(expression, among: subset, limit, offset)
            var hits: [SearchHit] = []
            for number in numbers {
                if let hit = try connection.hit(number, expression) { hits.append(hit) }
            }
            return hits
        }
    }

    /// How many articles say what is searched for.
    @concurrent
    public func count(of query: SearchQuery) async throws(LibraryError) -> Int {
        try await matching(query).count()
    }
}

extension Library {
    /// The articles that say what a reader has written, the best first: see ``SearchQuery/init(_:)`` for what may be
    /// written.
    ///
    /// - Parameters:
    ///   - text: What to search for; any text will do.
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many hits a page has; 0 or less means 20.
    /// - Returns: The hits of that page; empty past the last.
    /// - Throws: What kept the library from being read, never what was written.
    @concurrent
    public func search(_ text: String, page: Int = 1, limit: Int = 20) async throws(LibraryError) -> [SearchHit] {
        try await articles.search(SearchQuery(text), page: page, limit: limit)
    }
}
