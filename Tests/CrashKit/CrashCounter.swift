package import MastheadSQLite

/// One number that several processes add to.
package enum CrashCounter {
    /// Its table.
    package static let schema = Schema(
        applicationID: 78,
        migrations: [
            Migration(to: 1, "CREATE TABLE counter (value INTEGER NOT NULL); INSERT INTO counter VALUES (0)")
        ]
    )
}
