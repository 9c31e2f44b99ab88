package import MastheadSQLite

extension LibrarySchema {
    /// What articles say, to be searched: in a table of its own, that lists do not read.
    ///
    /// The more terms are gathered before they are written, the less is written: 32 MB at most. A word in a title counts more
    /// than one in the text.
    package static let search = Migration(to: 2) { connection throws(DatabaseError) in
        try connection.execute(
            """
            CREATE VIRTUAL TABLE article_text USING fts5 (
                title, summary, body, author, keywords, captions, tokenize = 'unicode61 remove_diacritics 2'
            );
            INSERT INTO article_text (article_text, rank) VALUES ('hashsize', 33554432);
            INSERT INTO article_text (article_text, rank) VALUES ('rank', 'bm25(10.0, 4.0, 1.0, 4.0, 6.0, 2.0)');
            """
        )
        let numbers = try connection.all("SELECT number FROM article ORDER BY number") { row in row[0] as Int64 }
        for number in numbers { try TextIndex(connection: connection).update(number) }
    }

    /// Articles whose row in the index is to be written later.
    package static let unindexed = Migration(
        to: 4,
        "CREATE TABLE unindexed_article (number INTEGER PRIMARY KEY)"
    )
}
