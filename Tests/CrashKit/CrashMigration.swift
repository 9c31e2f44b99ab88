package import MastheadSQLite

/// A migration that takes long enough to be killed in.
package enum CrashMigration {
    /// How many rows there are before and after.
    package static let count = 4000

    private static let first = Migration(to: 1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    /// The schema before.
    package static let old = Schema(applicationID: 77, migrations: [first])

    /// The schema after; each step says when it begins and when its statements are done.
    package static func new(_ tell: @escaping @Sendable (_ isOpen: Bool) -> Void) -> Schema {
        Schema(
            applicationID: 77,
            migrations: [
                first,
                Migration(to: 2) { (connection) throws(DatabaseError) in
                    tell(true)
                    try connection.execute(
                        """
                        CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT NOT NULL, length INTEGER NOT NULL);
                        INSERT INTO page SELECT id, upper(text), length(text) FROM note;
                        DROP TABLE note;
                        """
                    )
                },
                Migration(to: 3) { (connection) throws(DatabaseError) in
                    try connection.execute("CREATE INDEX page_length ON page (length, text)")
                    tell(false)
                },
            ]
        )
    }

    /// Puts the rows in.
    package static func fill(_ connection: Connection) throws(DatabaseError) {
        for id in 1...count {
            try connection.run("INSERT INTO note VALUES (?, ?)", id, String(repeating: "note \(id) ", count: 20))
        }
    }
}
