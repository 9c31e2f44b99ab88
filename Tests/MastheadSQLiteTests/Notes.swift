import MastheadSQLite

/// The schema of most tests.
let notes = Schema(
    applicationID: 0x4D53_5431,
    migrations: [Migration(to: 1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, body BLOB)")]
)

/// A query that ends only when it is stopped.
let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

extension Database {
    func insert(_ text: String) async throws(DatabaseError) {
        try await write { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES (?)", text)
        }
    }

    var texts: [String] {
        get async throws(DatabaseError) {
            try await read { connection throws(DatabaseError) in
                try connection.all("SELECT text FROM note ORDER BY id") { $0[0] }
            }
        }
    }
}
