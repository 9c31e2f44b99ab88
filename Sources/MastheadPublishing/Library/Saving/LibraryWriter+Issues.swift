import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Saves an issue and the order of what it holds.
    mutating func save(_ issue: Issue) throws(DatabaseError) {
        let isKnown = try connection.first("SELECT 1 FROM issue WHERE id = ?", issue.id.rawValue) { _ in true } ?? false
        if isKnown, issue.isStub { return }
        marks.insert(.issues)
        let metadata = issue.customMetadata.column
        try connection.run(
            """
            INSERT INTO issue (
                id, sku, title, summary, coverPhone, coverTablet, coverTabletLandscape, metadata, isMetadataText, created,
                published, date, updated, isPublished, displayDate
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                sku = excluded.sku, title = excluded.title, summary = excluded.summary, coverPhone = excluded.coverPhone,
                coverTablet = excluded.coverTablet, coverTabletLandscape = excluded.coverTabletLandscape,
                metadata = excluded.metadata, isMetadataText = excluded.isMetadataText, created = excluded.created,
                published = excluded.published, date = excluded.date, updated = excluded.updated,
                isPublished = excluded.isPublished, displayDate = excluded.displayDate
            """,
            issue.id.rawValue,
            issue.sku?.rawValue,
            issue.title,
            issue.summary,
            issue.coverPhoneID?.rawValue,
            issue.coverTabletID?.rawValue,
            issue.coverTabletLandscapeID?.rawValue,
            metadata.text,
            metadata.isText,
            issue.created?.column,
            issue.publishedDate?.column,
            issue.date?.column,
            issue.updated?.column,
            issue.isPublished,
            issue.displayDate
        )
        if try replaceArticles(of: issue) { marks.insert(.articles) }
        let changed = try LibraryRelation.issueAssets
            .replace(issue.assetIDs, of: issue.id.rawValue, isNew: !isKnown, connection)
        if changed { marks.insert(.assets) }
        try addVolumes(of: issue)
    }

    /// Lets the issue hold its articles, in its order; what is said of one in this issue stays.
    private func replaceArticles(of issue: Issue) throws(DatabaseError) -> Bool {
        let id = issue.id.rawValue
        var seen: Set<Article.ID> = []
        let new = issue.articles.filter { seen.insert($0.id).inserted }
        guard try connection.articleStubs(of: id) != new else { return false }
        let featured = Dictionary(
            try connection.all("SELECT child, isFeatured FROM issue_article WHERE parent = ?", id) { row in
                (row[0] as String, row[1] as Bool?)
            },
            uniquingKeysWith: { first, _ in first }
        )
        try connection.run(LibraryRelation.issueArticles.clear, id)
        for (index, stub) in new.enumerated() {
            try connection.run(
                "INSERT INTO issue_article (parent, placement, child, updated, isFeatured) VALUES (?, ?, ?, ?, ?)",
                id,
                index + 1,
                stub.id.rawValue,
                stub.updated?.column,
                featured[stub.id.rawValue] ?? nil
            )
        }
        return true
    }

    private mutating func addVolumes(of issue: Issue) throws(DatabaseError) {
        for (index, volume) in issue.volumeIDs.unique().enumerated() {
            try connection.run(
                """
                INSERT INTO volume_issue (parent, child, volumePlacement) VALUES (?, ?, ?)
                ON CONFLICT (parent, child) DO UPDATE SET volumePlacement = excluded.volumePlacement
                """,
                volume.rawValue,
                issue.id.rawValue,
                index + 1
            )
            marks.insert(.volumes)
        }
    }
}
