import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Saves what is known of an asset.
    mutating func save(_ asset: Asset) throws(DatabaseError) {
        let caption: String? = try connection.value("SELECT caption FROM asset WHERE id = ?", asset.id.rawValue)
        if caption != nil, asset.isStub { return }
        if (caption ?? "") != asset.caption { try markTexts(showing: asset.id) }
        marks.insert(.assets)
        let metadata = asset.customMetadata.column
        try connection.run(
            """
            INSERT INTO asset (
                id, caption, source, kind, cdnURL, url, cdnThumbnailURL, thumbnailURL, width, height, updated, metadata,
                isMetadataText
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                caption = excluded.caption, source = excluded.source, kind = excluded.kind, cdnURL = excluded.cdnURL,
                url = excluded.url, cdnThumbnailURL = excluded.cdnThumbnailURL, thumbnailURL = excluded.thumbnailURL,
                width = excluded.width, height = excluded.height, updated = excluded.updated,
                metadata = excluded.metadata, isMetadataText = excluded.isMetadataText
            """,
            asset.id.rawValue,
            asset.caption,
            asset.source,
            asset.kind.rawValue,
            asset.cdnURL?.absoluteString,
            asset.url?.absoluteString,
            asset.cdnThumbnailURL?.absoluteString,
            asset.thumbnailURL?.absoluteString,
            asset.width,
            asset.height,
            asset.updated?.column,
            metadata.text,
            metadata.isText
        )
    }

    /// Notes the articles that show an asset, since what they say changes with its caption.
    mutating func markTexts(showing asset: Asset.ID) throws(DatabaseError) {
        let numbers = try connection.all(
            "SELECT a.number FROM article_asset r JOIN article a ON a.id = r.parent WHERE r.child = ?",
            asset.rawValue
        ) { row in
            row[0] as Int64
        }
        staleTexts.formUnion(numbers)
    }
}
