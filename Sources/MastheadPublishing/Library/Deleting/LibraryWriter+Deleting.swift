import MastheadSQLite

extension LibraryChanges.Step {
    /// What must not have been bought.
    var protectedItem: LibraryItem? {
        switch self {
        case .deleteVolume(let id, false): .volume(id)
        case .deleteIssue(let id, false): .issue(id)
        case .deleteArticle(let id, false): .article(id)
        default: nil
        }
    }
}

extension LibraryWriter {
    /// Whether something was bought; what is not there was not.
    func isPurchased(_ item: LibraryItem) throws(DatabaseError) -> Bool {
        switch item {
        case .volume(let id):
            try connection.value("SELECT isPurchased FROM volume WHERE id = ?", id.rawValue) ?? false
        case .issue(let id):
            try connection.value("SELECT isPurchased FROM issue WHERE id = ?", id.rawValue) ?? false
        case .article(let id):
            try connection.value("SELECT isPurchased FROM article WHERE id = ?", id.rawValue) ?? false
        }
    }

    mutating func delete(volume id: Volume.ID, isForced: Bool) throws(DatabaseError) {
        guard let volume = try connection.volume(id) else { return }
        try connection.run(LibraryRelation.volumeIssues.clear, id.rawValue)
        try connection.run(LibraryRelation.volumeAssets.clear, id.rawValue)
        try connection.run(
            "DELETE FROM volume_keyword WHERE owner = (SELECT number FROM volume WHERE id = ?)",
            id.rawValue
        )
        try connection.run("DELETE FROM volume WHERE id = ?", id.rawValue)
        marks.formUnion([.volumes, .issues, .assets])
        for issue in volume.issueIDs {
            if try isHeld(issue) { continue }
            if !isForced, try isPurchased(.issue(issue)) { continue }
            try delete(issue: issue, isForced: isForced)
        }
        try delete(unheld: volume.assetIDs + [volume.coverID].compactMap { $0 })
    }

    mutating func delete(issue id: Issue.ID, isForced: Bool) throws(DatabaseError) {
        guard let issue = try connection.issue(id) else { return }
        try delete(articlesOf: id, isForced: isForced)
        try connection.run(LibraryRelation.issueAssets.clear, id.rawValue)
        try connection.run(LibraryRelation.volumeIssues.removeChild, id.rawValue)
        try connection.run("DELETE FROM issue WHERE id = ?", id.rawValue)
        marks.formUnion([.volumes, .issues, .assets])
        let covers = [issue.coverPhoneID, issue.coverTabletID, issue.coverTabletLandscapeID].compactMap { $0 }
        try delete(unheld: issue.assetIDs + covers)
    }

    mutating func delete(articlesOf id: Issue.ID, isForced: Bool) throws(DatabaseError) {
        let articles: [Article.ID] = try LibraryRelation.issueArticles.children(of: id.rawValue, connection)
        try connection.run(LibraryRelation.issueArticles.clear, id.rawValue)
        marks.formUnion([.issues, .articles])
        for article in articles {
            if try isHeld(article) { continue }
            if !isForced, try isPurchased(.article(article)) { continue }
            try delete(article: article)
        }
    }

    mutating func delete(article id: Article.ID) throws(DatabaseError) {
        guard let article = try connection.article(id) else { return }
        let number: Int64 = try connection.value("SELECT number FROM article WHERE id = ?", id.rawValue) ?? 0
        try connection.run(LibraryRelation.issueArticles.removeChild, id.rawValue)
        try connection.run(LibraryRelation.articleAssets.clear, id.rawValue)
        for word in Set(article.keywords.map(Folding.folded)) {
            try connection.run("DELETE FROM article_keyword WHERE word = ? AND owner = ?", word, number)
        }
        try connection.run("DELETE FROM article_body WHERE number = ?", number)
        try TextIndex(connection: connection).remove(number)
        try TextIndex(connection: connection).settle(number)
        staleTexts.remove(number)
        try connection.run("DELETE FROM article WHERE number = ?", number)
        marks.formUnion([.issues, .articles, .assets])
        try delete(unheld: article.assetIDs)
    }

    mutating func delete(asset id: Asset.ID) throws(DatabaseError) {
        try markTexts(showing: id)
        try connection.run(LibraryRelation.volumeAssets.removeChild, id.rawValue)
        try connection.run(LibraryRelation.issueAssets.removeChild, id.rawValue)
        try connection.run(LibraryRelation.articleAssets.removeChild, id.rawValue)
        try connection.run("UPDATE volume SET cover = NULL WHERE cover = ?", id.rawValue)
        try connection.run("UPDATE issue SET coverPhone = NULL WHERE coverPhone = ?", id.rawValue)
        try connection.run("UPDATE issue SET coverTablet = NULL WHERE coverTablet = ?", id.rawValue)
        try connection.run(
            "UPDATE issue SET coverTabletLandscape = NULL WHERE coverTabletLandscape = ?",
            id.rawValue
        )
        marks.formUnion(.all)
        try remove(id)
    }

    /// Deletes those assets that nothing holds any more.
    mutating func delete(unheld assets: [Asset.ID]) throws(DatabaseError) {
        for asset in assets.unique() {
            if try isHeld(asset) { continue }
            marks.insert(.assets)
            try remove(asset)
        }
    }

    /// Removes an asset's row, and notes its files for after the commit.
    private mutating func remove(_ asset: Asset.ID) throws(DatabaseError) {
        try connection.run(
            "INSERT OR IGNORE INTO doomed_file SELECT name FROM asset_file WHERE asset = ?",
            asset.rawValue
        )
        if connection.changeCount > 0 { hasDoomedFiles = true }
        try connection.run("DELETE FROM asset_file WHERE asset = ?", asset.rawValue)
        try connection.run("DELETE FROM asset WHERE id = ?", asset.rawValue)
    }

    // MARK: Who holds what

    func isHeld(_ issue: Issue.ID) throws(DatabaseError) -> Bool {
        try connection.first(
            "SELECT 1 FROM volume_issue r JOIN volume v ON v.id = r.parent WHERE r.child = ?",
            issue.rawValue
        ) { _ in true } ?? false
    }

    /// Whether an issue holds it, or it stands on its own.
    func isHeld(_ article: Article.ID) throws(DatabaseError) -> Bool {
        try connection.first(
            """
            SELECT 1 FROM article WHERE id = ?1 AND standsAlone
            UNION ALL
            SELECT 1 FROM issue_article r JOIN issue i ON i.id = r.parent WHERE r.child = ?1
            """,
            article.rawValue
        ) { _ in true } ?? false
    }

    private func isHeld(_ asset: Asset.ID) throws(DatabaseError) -> Bool {
        try connection.first(
            """
            SELECT 1 FROM article_asset r JOIN article a ON a.id = r.parent WHERE r.child = ?1
            UNION ALL SELECT 1 FROM issue_asset r JOIN issue i ON i.id = r.parent WHERE r.child = ?1
            UNION ALL SELECT 1 FROM volume_asset r JOIN volume v ON v.id = r.parent WHERE r.child = ?1
            UNION ALL SELECT 1 FROM issue WHERE coverPhone = ?1
            UNION ALL SELECT 1 FROM issue WHERE coverTablet = ?1
            UNION ALL SELECT 1 FROM issue WHERE coverTabletLandscape = ?1
            UNION ALL SELECT 1 FROM volume WHERE cover = ?1
            """,
            asset.rawValue
        ) { _ in true } ?? false
    }
}
