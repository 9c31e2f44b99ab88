import FoundationEssentials
import MastheadSQLite

extension LibraryWriter {
    /// Saves an article and all that hangs on it.
    mutating func save(_ article: Article) throws(DatabaseError) {
        guard try insert(article) else { return try update(article) }
        marks.insert(.articles)
        let number = connection.lastInsertedRowID
        firstNewArticle = min(firstNewArticle ?? number, number)
        if !article.isStub {
            try connection.run("INSERT INTO article_body (number, html) VALUES (?, ?)") { bindings in
                bindings.append(integer: number)
                bindings.append(text: article.body)
            }
        }
        for word in article.keywords.map(Folding.folded).unique() { try add(word, to: number) }
        let changed = try LibraryRelation.articleAssets
            .replace(article.assetIDs, of: article.id.rawValue, isNew: true, connection)
        if changed { marks.insert(.assets) }
        if indexing == .atOnce { try TextIndex(connection: connection).insert(article, number) }
    }

    /// Saves an article that is there already.
    private mutating func update(_ article: Article) throws(DatabaseError) {
        if article == Article(id: article.id) { return }
        let known = try connection.first("SELECT number, keywords FROM article WHERE id = ?", article.id.rawValue) {
            row in
            (number: row[0] as Int64, keywords: [String](column: row[1]))
        }
        guard let known else { return }
        marks.insert(.articles)
        try overwrite(known.number, with: article)
        if !article.isStub {
            try connection.run(
                """
                INSERT INTO article_body (number, html) VALUES (?, ?)
                ON CONFLICT (number) DO UPDATE SET html = excluded.html WHERE html <> excluded.html
                """,
                known.number,
                article.body
            )
        }
        try replaceKeywords(of: known.number, from: known.keywords, to: article.keywords)
        let changed = try LibraryRelation.articleAssets
            .replace(article.assetIDs, of: article.id.rawValue, isNew: false, connection)
        if changed { marks.insert(.assets) }
        try indexAnew(known.number)
    }

    private func replaceKeywords(of number: Int64, from old: [String], to new: [String]) throws(DatabaseError) {
        guard old != new else { return }
        let (old, new) = (Set(old.map(Folding.folded)), Set(new.map(Folding.folded)))
        for word in old.subtracting(new) {
            try connection.run("DELETE FROM article_keyword WHERE word = ? AND owner = ?", word, number)
        }
        for word in new.subtracting(old) { try add(word, to: number) }
    }

    private func add(_ word: String, to number: Int64) throws(DatabaseError) {
        try connection.run("INSERT OR IGNORE INTO article_keyword (word, owner) VALUES (?, ?)") { bindings in
            bindings.append(text: word)
            bindings.append(integer: number)
        }
    }

    /// Inserts the row of an article.
    ///
    /// - Returns: Whether it was not there.
    private func insert(_ article: Article) throws(DatabaseError) -> Bool {
        try connection.run(
            """
            INSERT INTO article (
                sku, title, slug, summary, authorName, authorURL, authorBio, sharingURL, section, type, commentary,
                keywords, metadata, isMetadataText, isFeatured, isPublished, date, updated, id, standsAlone
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """
        ) { bindings in
            bindings.append(columnsOf: article)
            bindings.append(text: article.id.rawValue)
            bindings.append(integer: expectsLoners ? 1 : 0)
        }
        return connection.changeCount > 0
    }

    private func overwrite(_ number: Int64, with article: Article) throws(DatabaseError) {
        try connection.run(
            """
            UPDATE article SET
                sku = ?, title = ?, slug = ?, summary = ?, authorName = ?, authorURL = ?, authorBio = ?, sharingURL = ?,
                section = ?, type = ?, commentary = ?, keywords = ?, metadata = ?, isMetadataText = ?, isFeatured = ?,
                isPublished = ?, date = ?, updated = ?
            WHERE number = ?
            """
        ) { bindings in
            bindings.append(columnsOf: article)
            bindings.append(integer: number)
        }
    }
}

extension Bindings {
    /// Binds what an article's row says besides the id.
    fileprivate mutating func append(columnsOf article: Article) {
        for name in ArticleTexts.Name.allCases { append(text: article.texts[name]) }
        if let keywords = article.keywords.columnBytes { append(utf8: keywords) } else { appendNull() }
        let metadata = article.customMetadata.column
        append(text: metadata.text)
        append(integer: metadata.isText ? 1 : 0)
        append(integer: article.isFeatured ? 1 : 0)
        append(integer: article.isPublished ? 1 : 0)
        if let date = article.publishedDate { append(real: date.column) } else { appendNull() }
        if let date = article.updated { append(real: date.column) } else { appendNull() }
    }
}
