import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Removes what is left of lists.
    ///
    /// Of a volume only itself: what it held is judged by itself.
    mutating func prune(_ remnants: LibraryRemnants) throws(DatabaseError) {
        for id in remnants.volumes {
            guard try connection.volume(id) != nil, try !isPurchased(.volume(id)) else { continue }
            try connection.run(LibraryRelation.volumeIssues.clear, id.rawValue)
            try delete(volume: id, isForced: false)
            removed.append(.volume(id))
        }
        for id in remnants.issues {
            guard try connection.issue(id) != nil, try !isHeld(id), try !isPurchased(.issue(id)), try !hasFiles(id)
            else {
                continue
            }
            try delete(issue: id, isForced: false)
            removed.append(.issue(id))
        }
        for id in remnants.articles {
            guard try connection.article(id) != nil, try !isHeld(id), try !isPurchased(.article(id)), try !hasFiles(id)
            else { continue }
            try delete(article: id)
            removed.append(.article(id))
        }
        for id in remnants.assets where try !hasFile(id) { try delete(unheld: [id]) }
    }

    /// Lets articles stay, whatever becomes of the issues that hold them.
    mutating func letStandAlone(_ articles: [Article.ID]) throws(DatabaseError) {
        for id in articles {
            try connection.run("UPDATE article SET standsAlone = 1 WHERE id = ?", id.rawValue)
        }
    }

    /// Notes up to when everything of a catalogue is here.
    func setMark(_ date: Date, of catalogue: String) throws(DatabaseError) {
        try connection.run(
            "INSERT OR REPLACE INTO sync_mark (catalogue, date) VALUES (?, ?)",
            catalogue,
            date.column
        )
    }

    private func hasFile(_ id: Asset.ID) throws(DatabaseError) -> Bool {
        try connection.first("SELECT 1 FROM asset_file WHERE asset = ? AND role = 1", id.rawValue) { _ in true }
            ?? false
    }

    private func hasFiles(_ id: Article.ID) throws(DatabaseError) -> Bool {
        try connection.first(
            """
            SELECT 1 FROM article_asset r JOIN asset_file f ON f.asset = r.child AND f.role = 1 WHERE r.parent = ?
            """,
            id.rawValue
        ) { _ in true } ?? false
    }

    private func hasFiles(_ id: Issue.ID) throws(DatabaseError) -> Bool {
        try connection.first(
            """
            SELECT 1 FROM issue_asset r JOIN asset_file f ON f.asset = r.child AND f.role = 1 WHERE r.parent = ?1
            UNION ALL
            SELECT 1 FROM issue_article i JOIN article_asset r ON r.parent = i.child
                JOIN asset_file f ON f.asset = r.child AND f.role = 1
            WHERE i.parent = ?1
            """,
            id.rawValue
        ) { _ in true } ?? false
    }
}
