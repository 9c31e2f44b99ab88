import MastheadSQLite

extension Connection {
    /// The numbers of the best hits among all articles.
    ///
    /// Each hit has to be looked at to be ranked: beyond a number of them, only the latest are.
    func bestHits(
        _ expression: String,
        _ rankedHits: Int,
        _ latestHits: Int,
        _ limit: Int,
        _ offset: Int
    ) throws(DatabaseError) -> [Int64] {
        let count = try value(
            "SELECT count(*) FROM (SELECT 1 FROM article_text WHERE article_text MATCH ? LIMIT ?)",
            expression,
            rankedHits + 1,
            as: Int.self
        )
        guard let count, count > rankedHits else {
            return try all(
                "SELECT rowid FROM article_text WHERE article_text MATCH ? ORDER BY rank LIMIT ? OFFSET ?",
                expression,
                limit,
                offset
            ) { row in row[0] }
        }
        return try all(
            """
            SELECT number FROM (
                SELECT rowid AS number, rank AS score FROM article_text WHERE article_text MATCH ?
                ORDER BY rowid DESC LIMIT ?
            ) ORDER BY score, number DESC LIMIT ? OFFSET ?
            """,
            expression,
            latestHits,
            limit,
            offset
        ) { row in row[0] }
    }

    /// The numbers of the best hits among some articles.
    func bestHits(
        _ expression: String,
        among subset: QueryText,
        _ limit: Int,
        _ offset: Int
    ) throws(DatabaseError) -> [Int64] {
        // The plus keeps the index from being asked once for each of them.
        let sql = """
            SELECT rowid FROM article_text WHERE article_text MATCH ? AND +rowid IN (\(subset.sql)) \
            ORDER BY rank LIMIT ? OFFSET ?
            """
        let values: [QueryValue] =
            [.text(expression)] + subset.values + [.integer(Int64(limit)), .integer(Int64(offset))]
        return try all(.dynamic(sql), QueryValues(values: values)) { row in row[0] }
    }

    /// An article that was found, and where.
    func hit(_ number: Int64, _ expression: String) throws(DatabaseError) -> SearchHit? {
        guard let article = try LibraryTable.articles.element(number, self) else { return nil }
        return try first(
            """
            SELECT highlight(article_text, 0, ?1, ?2), highlight(article_text, 1, ?1, ?2),
                highlight(article_text, 2, ?1, ?2), highlight(article_text, 3, ?1, ?2),
                highlight(article_text, 4, ?1, ?2), highlight(article_text, 5, ?1, ?2)
            FROM article_text WHERE article_text MATCH ?3 AND rowid = ?4
            """,
            String(SearchMark.start),
            String(SearchMark.end),
            expression,
            number
        ) { row in
            SearchHit(
                article: article,
                title: HighlightedText(marked: row[0]),
                snippet: SnippetCutter.piece(of: (0..<6).map { row[$0] })
            )
        }
    }
}
