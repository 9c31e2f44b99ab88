import FoundationEssentials
import MastheadSQLite

extension LibraryTable<Article> {
    static let articles = LibraryTable(
        name: "article",
        columns: columns,
        withBody: (columns + ", b.html", " LEFT JOIN article_body b ON b.number = e.number"),
        order: "e.date DESC, e.number DESC",
        marks: [.articles]
    ) { (sql, values, connection, found) throws(DatabaseError) in
        try connection.each(sql, binding: { values.bind(to: &$0) }) { row in
            found.append(Article(row))
            return true
        }
    } complete: { (found, connection) throws(DatabaseError) in
        try connection.readAssets(of: &found)
    }

    private static let columns = """
        e.id, e.sku, e.title, e.slug, e.summary, e.authorName, e.authorURL, e.authorBio, e.sharingURL, e.section, \
        e.type, e.commentary, e.keywords, e.metadata, e.isMetadataText, e.isFeatured, e.isPublished, e.date, e.updated
        """
}

extension Article {
    /// Reads the columns of ``LibraryTable``, of which the text is the last one if it is asked for; what assets it shows
    /// another table says.
    fileprivate init(_ row: borrowing Row) {
        id = ID(row.text(0))
        texts = ArticleTexts(stored: RowTexts(row, columns: 1..<14), isMetadataText: row.integer(14) != 0)
        assetIDs = []
        isFeatured = row.integer(15) != 0
        isPublished = row.integer(16) != 0
        publishedDate = row.isNull(17) ? nil : Date(timeIntervalSinceReferenceDate: row.real(17))
        updated = row.isNull(18) ? nil : Date(timeIntervalSinceReferenceDate: row.real(18))
        body = row.count > 19 ? row.text(19) : ""
    }
}

extension Connection {
    /// The article of an id, with its text.
    func article(_ id: Article.ID) throws(DatabaseError) -> Article? {
        try LibraryTable.articles.element(id.rawValue, self)
    }

    /// Reads what assets articles show: of many with one statement, which takes half as long as one for each.
    fileprivate func readAssets(of articles: inout [Article]) throws(DatabaseError) {
        guard articles.count != 1 else {
            articles[0].assetIDs = try LibraryRelation.articleAssets.children(of: articles[0].id.rawValue, self)
            return
        }
        // As many as a page has; in order without being sorted: of two tables in a `CROSS JOIN` SQLite goes through the
        // first one outside, and through the second one by its key, which is the parent and the placement.
        let batch = 20
        for first in stride(from: 0, to: articles.count, by: batch) {
            let ids = articles[first...].prefix(batch).map(\.id.rawValue)
            try each(
                """
                SELECT p.column1, r.child
                FROM (VALUES (0, ?), (1, ?), (2, ?), (3, ?), (4, ?), (5, ?), (6, ?), (7, ?), (8, ?), (9, ?), (10, ?), (11, ?),
                    (12, ?), (13, ?), (14, ?), (15, ?), (16, ?), (17, ?), (18, ?), (19, ?)) p
                CROSS JOIN article_asset r ON r.parent = p.column2
                """
            ) { bindings in
                for id in ids { bindings.append(text: id) }
                // Which no asset has for its parent.
                for _ in ids.count..<batch { bindings.appendNull() }
            } read: { row in
                articles[first + Int(row.integer(0))].assetIDs.append(Asset.ID(row.text(1)))
                return true
            }
        }
    }
}
