/// What a database is to look like, as the steps that lead there.
///
/// ```swift
/// let schema = Schema(
///     applicationID: 0x4D43_4143,
///     migrations: [
///         Migration(to: 1, "CREATE TABLE payload (key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID"),
///         Migration(to: 2, "ALTER TABLE payload ADD COLUMN etag TEXT"),
///     ]
/// )
/// ```
package struct Schema: Sendable {
    /// The number in the file's header that says whose it is.
    package let applicationID: Int32
    package let migrations: [Migration]

    package init(applicationID: Int32, migrations: [Migration]) {
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The version that all steps lead to.
    package var version: Int32 { migrations.last?.version ?? 0 }

    /// Whether each step leads further than the one before it.
    var isOrdered: Bool {
        zip([0] + migrations.map(\.version), migrations.map(\.version)).allSatisfy { $0 < $1 }
    }
}
