import MastheadSQLite

extension TextIndex {
    /// Notes that the row of an article is to be written later.
    func postpone(_ number: Int64) throws(DatabaseError) {
        try connection.run("INSERT OR IGNORE INTO unindexed_article (number) VALUES (?)", number)
    }

    /// The same for all articles from a number on.
    func postpone(from number: Int64) throws(DatabaseError) {
        try connection.run(
            "INSERT OR IGNORE INTO unindexed_article (number) SELECT number FROM article WHERE number >= ?",
            number
        )
    }

    /// Notes that nothing is to be written later of an article.
    func settle(_ number: Int64) throws(DatabaseError) {
        try connection.run("DELETE FROM unindexed_article WHERE number = ?", number)
    }

    /// Writes the rows of the first few articles that wait for it.
    func catchUp(_ count: Int) throws(DatabaseError) {
        let numbers = try connection.all(
            "SELECT number FROM unindexed_article ORDER BY number LIMIT ?",
            count
        ) { row in row[0] as Int64 }
        for number in numbers { try update(number) }
        guard let last = numbers.last else { return }
        try connection.run("DELETE FROM unindexed_article WHERE number <= ?", last)
    }
}
