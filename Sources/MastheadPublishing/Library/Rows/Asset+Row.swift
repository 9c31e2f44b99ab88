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
    ) { (sql, values, connection, found) throws(DatabaseError) in
        try connection.each(sql, binding: { values.bind(to: &$0) }) { row in
            found.append(Asset(row))
            return true
        }
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
            width: row[8],
            height: row[9],
            updated: Date(column: row[10]),
            customMetadata: CustomMetadata(column: row[11], isText: row[12])
        )
        cdnAddress = AddressText(text: row[4])
        address = AddressText(text: row[5])
        cdnThumbnailAddress = AddressText(text: row[6])
        thumbnailAddress = AddressText(text: row[7])
    }
}

extension Connection {
    /// The asset of an id.
    func asset(_ id: Asset.ID) throws(DatabaseError) -> Asset? {
        try LibraryTable.assets.element(id.rawValue, self)
    }
}
