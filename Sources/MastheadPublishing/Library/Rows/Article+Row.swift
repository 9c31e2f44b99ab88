import FoundationEssentials
import MastheadSQLite

extension LibraryTable<Article> {
    static let articles = LibraryTable(
        name: "article",
        columns: columns,
        withBody: (columns + ", b.html", " LEFT JOIN article_body b ON b.number = e.number"),
        order: "e.date DESC, e.number DESC",
        marks: [.articles]
    ) { (row, connection) throws(DatabaseError) in
        try Article(row, connection)
    }

    private static let columns = """
        e.id, e.sku, e.title, e.slug, e.summary, e.authorName, e.authorURL, e.authorBio, e.sharingURL, e.section, \
        e.type, e.commentary, e.keywords, e.metadata, e.isMetadataText, e.isFeatured, e.isPublished, e.date, e.updated
        """
}

extension Article {
    /// Reads the columns of ``LibraryTable``; the text is the last one if it is asked for.
    init(_ row: borrowing Row, _ connection: Connection) throws(DatabaseError) {
        let id: String = row[0]
        self.init(
            id: ID(id),
            sku: SKU(column: row[1]),
            title: row[2],
            slug: row[3],
            summary: row[4],
            body: row.count > 19 ? row[19] : "",
            authorName: row[5],
            authorURL: URL(column: row[6]),
            authorBio: row[7],
            sharingURL: URL(column: row[8]),
            section: row[9],
            type: row[10],
            commentary: row[11],
            keywords: [String](column: row[12]),
            assetIDs: try LibraryRelation.articleAssets.children(of: id, connection),
            customMetadata: CustomMetadata(column: row[13], isText: row[14]),
            isFeatured: row[15],
            isPublished: row[16],
            publishedDate: Date(column: row[17]),
            updated: Date(column: row[18])
        )
    }
}

extension Connection {
    /// The article of an id, with its text.
    func article(_ id: Article.ID) throws(DatabaseError) -> Article? {
        try LibraryTable.articles.element(id.rawValue, self)
    }
}
