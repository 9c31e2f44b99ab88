import FoundationEssentials
import MastheadSQLite

extension LibraryTable<Issue> {
    static let issues = LibraryTable(
        name: "issue",
        columns: """
            e.id, e.sku, e.title, e.summary, e.coverPhone, e.coverTablet, e.coverTabletLandscape, e.metadata, \
            e.isMetadataText, e.created, e.published, e.updated, e.isPublished, e.displayDate
            """,
        order: "e.date DESC, e.number DESC",
        marks: [.issues]
    ) { (sql, values, connection, found) throws(DatabaseError) in
        try connection.each(sql, binding: { values.bind(to: &$0) }) { (row) throws(DatabaseError) in
            found.append(try Issue(row, connection))
            return true
        }
    }
}

extension Issue {
    /// Reads the columns of ``LibraryTable``.
    init(_ row: borrowing Row, _ connection: Connection) throws(DatabaseError) {
        let id: String = row[0]
        self.init(
            id: ID(id),
            sku: SKU(column: row[1]),
            title: row[2],
            summary: row[3],
            coverPhoneID: Asset.ID(column: row[4]),
            coverTabletID: Asset.ID(column: row[5]),
            coverTabletLandscapeID: Asset.ID(column: row[6]),
            articles: try connection.articleStubs(of: id),
            assetIDs: try LibraryRelation.issueAssets.children(of: id, connection),
            volumeIDs: try LibraryRelation.volumeIssues.parents(of: id, connection),
            customMetadata: CustomMetadata(column: row[7], isText: row[8]),
            created: Date(column: row[9]),
            publishedDate: Date(column: row[10]),
            updated: Date(column: row[11]),
            isPublished: row[12],
            displayDate: row[13]
        )
    }
}

extension Connection {
    /// The issue of an id.
    func issue(_ id: Issue.ID) throws(DatabaseError) -> Issue? {
        try LibraryTable.issues.element(id.rawValue, self)
    }

    /// What an issue says of its articles, in its order.
    func articleStubs(of issue: String) throws(DatabaseError) -> [Article.Stub] {
        try all("SELECT child, updated FROM issue_article WHERE parent = ? ORDER BY placement", issue) { row in
            Article.Stub(id: Article.ID(row[0]), updated: Date(column: row[1]))
        }
    }
}
