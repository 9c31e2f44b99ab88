import FoundationEssentials
import MastheadSQLite

extension LibraryTable<Volume> {
    static let volumes = LibraryTable(
        name: "volume",
        columns: """
            e.id, e.sku, e.title, e.subtitle, e.summary, e.cover, e.keywords, e.metadata, e.isMetadataText, \
            e.releaseDate, e.date, e.isPublished, e.publisher
            """,
        order: "e.date DESC, e.number DESC",
        marks: [.volumes]
    ) { (sql, values, connection, found) throws(DatabaseError) in
        try connection.each(sql, binding: { values.bind(to: &$0) }) { (row) throws(DatabaseError) in
            found.append(try Volume(row, connection))
            return true
        }
    }
}

extension Volume {
    /// Reads the columns of ``LibraryTable``.
    init(_ row: borrowing Row, _ connection: Connection) throws(DatabaseError) {
        let id: String = row[0]
        self.init(
            id: ID(id),
            sku: SKU(column: row[1]),
            title: row[2],
            subtitle: row[3],
            summary: row[4],
            coverID: Asset.ID(column: row[5]),
            keywords: [String](column: row[6]),
            customMetadata: CustomMetadata(column: row[7], isText: row[8]),
            assetIDs: try LibraryRelation.volumeAssets.children(of: id, connection),
            issueIDs: try LibraryRelation.volumeIssues.children(of: id, connection),
            releaseDate: row[9],
            publishedDate: Date(column: row[10]),
            isPublished: row[11],
            publisher: row[12]
        )
    }
}

extension Connection {
    /// The volume of an id.
    func volume(_ id: Volume.ID) throws(DatabaseError) -> Volume? {
        try LibraryTable.volumes.element(id.rawValue, self)
    }
}
