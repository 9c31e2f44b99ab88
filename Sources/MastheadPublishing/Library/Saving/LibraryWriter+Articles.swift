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
        try keep(article)
        let number = known?.number ?? connection.lastInsertedRowID
        if known == nil { newArticles.append(article.id) }
        if !article.isStub { try saveBody(article.body, number, isNew: known == nil) }
        try replaceKeywords(of: number, from: known?.keywords ?? [], to: article.keywords)
        let changed = try LibraryRelation.articleAssets
            .replace(article.assetIDs, of: article.id.rawValue, isNew: known == nil, connection)
        if changed { marks.insert(.assets) }
        if known == nil, indexing == .atOnce {
            try TextIndex(connection: connection).insert(article, number)
        } else {
            try indexAnew(number)
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

    private func keep(_ article: Article) throws(DatabaseError) {
        let metadata = article.customMetadata.column
        try connection.run(
            """
            INSERT INTO article (
                id, sku, title, slug, summary, authorName, authorURL, authorBio, sharingURL, section, type, commentary,
                keywords, metadata, isMetadataText, isFeatured, isPublished, date, updated
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                sku = excluded.sku, title = excluded.title, slug = excluded.slug, summary = excluded.summary,
                authorName = excluded.authorName, authorURL = excluded.authorURL, authorBio = excluded.authorBio,
                sharingURL = excluded.sharingURL, section = excluded.section, type = excluded.type,
                commentary = excluded.commentary, keywords = excluded.keywords, metadata = excluded.metadata,
                isMetadataText = excluded.isMetadataText, isFeatured = excluded.isFeatured,
                isPublished = excluded.isPublished, date = excluded.date, updated = excluded.updated
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
}
