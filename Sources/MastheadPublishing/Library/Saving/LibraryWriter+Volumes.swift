import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Saves a volume and the order of what it holds.
    mutating func save(_ volume: Volume) throws(DatabaseError) {
        let known = try connection.first("SELECT number, keywords FROM volume WHERE id = ?", volume.id.rawValue) {
            row in
            (number: row[0] as Int64, keywords: [String](column: row[1]))
        }
        if known != nil, volume.isStub { return }
        marks.insert(.volumes)
        let metadata = volume.customMetadata.column
        try connection.run(
            """
            INSERT INTO volume (
                id, sku, title, subtitle, summary, cover, keywords, metadata, isMetadataText, releaseDate, date,
                isPublished, publisher
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                sku = excluded.sku, title = excluded.title, subtitle = excluded.subtitle, summary = excluded.summary,
                cover = excluded.cover, keywords = excluded.keywords, metadata = excluded.metadata,
                isMetadataText = excluded.isMetadataText, releaseDate = excluded.releaseDate, date = excluded.date,
                isPublished = excluded.isPublished, publisher = excluded.publisher
            """,
            volume.id.rawValue,
            volume.sku?.rawValue,
            volume.title,
            volume.subtitle,
            volume.summary,
            volume.coverID?.rawValue,
            volume.keywords.column,
            metadata.text,
            metadata.isText,
            volume.releaseDate,
            volume.publishedDate?.column,
            volume.isPublished,
            volume.publisher
        )
        let number = known?.number ?? connection.lastInsertedRowID
        try replaceKeywords(of: number, from: known?.keywords ?? [], to: volume.keywords)
        if try replaceIssues(of: volume) { marks.insert(.issues) }
        let changed = try LibraryRelation.volumeAssets
            .replace(volume.assetIDs, of: volume.id.rawValue, isNew: known == nil, connection)
        if changed { marks.insert(.assets) }
    }

    /// Lets the volume hold its issues, in its order; what an issue says of its volumes stays where the volume holds it.
    private func replaceIssues(of volume: Volume) throws(DatabaseError) -> Bool {
        let id = volume.id.rawValue
        let new = volume.issueIDs.unique()
        let old = try connection.all(
            "SELECT child, placement FROM volume_issue WHERE parent = ? ORDER BY placement IS NULL, placement",
            id
        ) { row in
            (id: Issue.ID(row[0]), placement: row[1] as Int?)
        }
        guard old.map(\.id) != new || old.contains(where: { $0.placement == nil }) else { return false }
        for gone in Set(old.map(\.id)).subtracting(new) {
            try connection.run("DELETE FROM volume_issue WHERE parent = ? AND child = ?", id, gone.rawValue)
        }
        for (index, issue) in new.enumerated() {
            try connection.run(
                """
                INSERT INTO volume_issue (parent, placement, child) VALUES (?, ?, ?)
                ON CONFLICT (parent, child) DO UPDATE SET placement = excluded.placement
                """,
                id,
                index + 1,
                issue.rawValue
            )
        }
        return true
    }

    private func replaceKeywords(of number: Int64, from old: [String], to new: [String]) throws(DatabaseError) {
        guard old != new else { return }
        let (old, new) = (Set(old.map(Folding.folded)), Set(new.map(Folding.folded)))
        for word in old.subtracting(new) {
            try connection.run("DELETE FROM volume_keyword WHERE word = ? AND owner = ?", word, number)
        }
        for word in new.subtracting(old) {
            try connection.run("INSERT OR IGNORE INTO volume_keyword (word, owner) VALUES (?, ?)", word, number)
        }
    }
}
