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
        try connection.each(sql, binding: { values.bind(to: &$0) }) { (row) throws(DatabaseError) in
            found.append(try Article(row, connection))
            return true
        }
    }

    private static let columns = """
        e.id, e.sku, e.title, e.slug, e.summary, e.authorName, e.authorURL, e.authorBio, e.sharingURL, e.section, \
        e.type, e.commentary, e.keywords, e.metadata, e.isMetadataText, e.isFeatured, e.isPublished, e.date, e.updated
        """
}

extension Article {
    /// Reads the columns of ``LibraryTable``; the text is the last one if it is asked for.
    init(_ row: borrowing Row, _ connection: Connection) throws(DatabaseError) {
        let id = row.text(0)
        self.init(
            id: ID(id),
            sku: SKU(column: row.optionalText(1)),
            title: row.text(2),
            slug: row.text(3),
            summary: row.text(4),
            body: row.count > 19 ? row.text(19) : "",
            authorName: row.text(5),
            authorBio: row.text(7),
            section: row.text(9),
            type: row.text(10),
            commentary: row.text(11),
            keywords: row.withBytes(12) { [String](column: $0) },
            assetIDs: try LibraryRelation.articleAssets.children(of: id, connection),
            customMetadata: CustomMetadata(column: row.optionalText(13), isText: row.integer(14) != 0),
            isFeatured: row.integer(15) != 0,
            isPublished: row.integer(16) != 0,
            publishedDate: row.isNull(17) ? nil : Date(timeIntervalSinceReferenceDate: row.real(17)),
            updated: row.isNull(18) ? nil : Date(timeIntervalSinceReferenceDate: row.real(18))
        )
        authorAddress = AddressText(text: row.optionalText(6))
        sharingAddress = AddressText(text: row.optionalText(8))
    }
}

extension Connection {
    /// The article of an id, with its text.
    func article(_ id: Article.ID) throws(DatabaseError) -> Article? {
        try LibraryTable.articles.element(id.rawValue, self)
    }
}
