import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Saves an article and all that hangs on it.
    mutating func save(_ article: Article) throws(DatabaseError) {
        let known = try connection.first("SELECT number, keywords FROM article WHERE id = ?", article.id.rawValue) {
            row in
            (number: row[0] as Int64, keywords: [String](column: row[1]))
        }
        let isBare = article == Article(id: article.id)
        if known != nil, isBare { return }
        marks.insert(.articles)
        let number: Int64
        if let known {
            number = known.number
            try update(article, number)
        } else {
            try insert(article)
            number = connection.lastInsertedRowID
            newArticles.append(article.id)
        }
        if !article.isStub { try saveBody(article.body, number, isNew: known == nil) }
        try replaceKeywords(of: number, from: known?.keywords ?? [], to: article.keywords)
        let changed = try LibraryRelation.articleAssets
            .replace(article.assetIDs, of: article.id.rawValue, isNew: known == nil, connection)
        if changed { marks.insert(.assets) }
        let index = TextIndex(connection: connection)
        if known == nil {
            try index.insert(article, number)
        } else {
            try index.update(number)
        }
    }

    private func saveBody(_ html: String, _ number: Int64, isNew: Bool) throws(DatabaseError) {
        if isNew {
            try connection.run("INSERT INTO article_body (number, html) VALUES (?, ?)", number, html)
        } else {
            try connection.run(
                """
                INSERT INTO article_body (number, html) VALUES (?, ?)
                ON CONFLICT (number) DO UPDATE SET html = excluded.html WHERE html <> excluded.html
                """,
                number,
                html
            )
        }
    }

    private func replaceKeywords(of number: Int64, from old: [String], to new: [String]) throws(DatabaseError) {
        guard old != new else { return }
        let (old, new) = (Set(old.map(Folding.folded)), Set(new.map(Folding.folded)))
        for word in old.subtracting(new) {
            try connection.run("DELETE FROM article_keyword WHERE word = ? AND owner = ?", word, number)
        }
        for word in new.subtracting(old) {
            try connection.run("INSERT OR IGNORE INTO article_keyword (word, owner) VALUES (?, ?)", word, number)
        }
    }

    private func insert(_ article: Article) throws(DatabaseError) {
        let metadata = article.customMetadata.column
        try connection.run(
            """
            INSERT INTO article (
                id, sku, title, slug, summary, authorName, authorURL, authorBio, sharingURL, section, type, commentary,
                keywords, metadata, isMetadataText, isFeatured, isPublished, date, updated
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            article.id.rawValue,
            article.sku?.rawValue,
            article.title,
            article.slug,
            article.summary,
            article.authorName,
            article.authorURL?.absoluteString,
            article.authorBio,
            article.sharingURL?.absoluteString,
            article.section,
            article.type,
            article.commentary,
            article.keywords.column,
            metadata.text,
            metadata.isText,
            article.isFeatured,
            article.isPublished,
            article.publishedDate?.column,
            article.updated?.column
        )
    }

    private func update(_ article: Article, _ number: Int64) throws(DatabaseError) {
        let metadata = article.customMetadata.column
        try connection.run(
            """
            UPDATE article SET
                sku = ?, title = ?, slug = ?, summary = ?, authorName = ?, authorURL = ?, authorBio = ?, sharingURL = ?,
                section = ?, type = ?, commentary = ?, keywords = ?, metadata = ?, isMetadataText = ?, isFeatured = ?,
                isPublished = ?, date = ?, updated = ?
            WHERE number = ?
            """,
            article.sku?.rawValue,
            article.title,
            article.slug,
            article.summary,
            article.authorName,
            article.authorURL?.absoluteString,
            article.authorBio,
            article.sharingURL?.absoluteString,
            article.section,
            article.type,
            article.commentary,
            article.keywords.column,
            metadata.text,
            metadata.isText,
            article.isFeatured,
            article.isPublished,
            article.publishedDate?.column,
            article.updated?.column,
            number
        )
    }
}
