import MastheadSQLite

/// The index of what articles say: a row for each, written in the transaction that writes the article.
///
/// Not by a trigger: an import of 100,000 articles takes 24 times as long with one.
struct TextIndex {
    let connection: Connection

    /// What an article says, part by part.
    private struct Row: Hashable {
        var title, summary, body, author, keywords, captions: [UInt8]
    }

    /// Writes the row of an article that has none.
    func insert(_ article: Article, _ number: Int64) throws(DatabaseError) {
        try insert(row(of: article), number)
    }

    /// Writes the row of an article anew, from what is stored; does nothing if it says what it said.
    func update(_ number: Int64) throws(DatabaseError) {
        guard let id: String = try connection.value("SELECT id FROM article WHERE number = ?", number),
            let article = try connection.article(Article.ID(id))
        else { return try remove(number) }
        let new = try row(of: article)
        let old = try connection.first(
            "SELECT title, summary, body, author, keywords, captions FROM article_text WHERE rowid = ?",
            number
        ) { row in
            Row(title: row[0], summary: row[1], body: row[2], author: row[3], keywords: row[4], captions: row[5])
        }
        guard new != old else { return }
        if old != nil { try remove(number) }
        try insert(new, number)
    }

    /// Removes the row of an article.
    func remove(_ number: Int64) throws(DatabaseError) {
        try connection.run("DELETE FROM article_text WHERE rowid = ?", number)
    }

    private func insert(_ row: Row, _ number: Int64) throws(DatabaseError) {
        try connection.run(
            """
            INSERT INTO article_text (rowid, title, summary, body, author, keywords, captions)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ) { bindings in
            bindings.append(integer: number)
            bindings.append(utf8: row.title)
            bindings.append(utf8: row.summary)
            bindings.append(utf8: row.body)
            bindings.append(utf8: row.author)
            bindings.append(utf8: row.keywords)
            bindings.append(utf8: row.captions)
        }
    }

    private func row(of article: Article) throws(DatabaseError) -> Row {
        Row(
            title: SearchMark.removed(from: HTMLText.plainBytes(article.title)),
            summary: SearchMark.removed(from: HTMLText.plainBytes(article.summary)),
            body: SearchMark.removed(from: HTMLText.plainBytes(article.body)),
            author: SearchMark.removed(from: Array(article.authorName.utf8)),
            keywords: SearchMark.removed(from: article.keywords.bytes(with: ", ")),
            captions: SearchMark.removed(from: try captions(of: article.assetIDs))
        )
    }

    /// What is said of pictures, one line for each.
    private func captions(of assets: [Asset.ID]) throws(DatabaseError) -> [UInt8] {
        var captions: [UInt8] = []
        for asset in assets.unique() {
            try connection.each(
                "SELECT caption FROM asset WHERE id = ? AND caption <> ''",
                binding: { $0.append(text: asset.rawValue) }
            ) { row in
                if !captions.isEmpty { captions.append(0x0A) }
                captions += HTMLText.plainBytes(row.text(0))
                return false
            }
        }
        return captions
    }
}
