import FoundationEssentials
import MastheadSQLite

extension LibraryTable<Asset> {
    static let assets = LibraryTable(
        name: "asset",
        columns: """
            e.id, e.caption, e.source, e.kind, e.cdnURL, e.url, e.cdnThumbnailURL, e.thumbnailURL, e.width, e.height, \
            e.updated, e.metadata, e.isMetadataText
            """,
        order: "e.number",
        marks: [.assets]
    ) { (row, _) throws(DatabaseError) in
        Asset(row)
    }
}

extension Asset {
    /// Reads the columns of ``LibraryTable``.
    init(_ row: borrowing Row) {
        self.init(
            id: ID(row[0]),
            caption: row[1],
            source: row[2],
            kind: Kind(rawValue: row[3]),
            cdnURL: URL(column: row[4]),
            url: URL(column: row[5]),
            cdnThumbnailURL: URL(column: row[6]),
            thumbnailURL: URL(column: row[7]),
            width: row[8],
            height: row[9],
            updated: Date(column: row[10]),
            customMetadata: CustomMetadata(column: row[11], isText: row[12])
        )
    }
}

extension Connection {
    /// The asset of an id.
    func asset(_ id: Asset.ID) throws(DatabaseError) -> Asset? {
        try LibraryTable.assets.element(id.rawValue, self)
    }
}
