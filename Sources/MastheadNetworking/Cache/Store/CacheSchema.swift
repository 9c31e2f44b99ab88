package import MastheadSQLite

/// What a partition's file looks like.
///
/// Payloads lie in a table of their own, so that what is known of an entry can be changed without writing its payload
/// again, and be read without reading it. `used` is a count that grows with each write and not a date: a clock that jumps
/// does not change what was used last.
package enum CacheSchema {
    /// The number in the file's header: `Mcac`.
    private static let applicationID: Int32 = 0x4D63_6163

    /// The steps that lead to the present form.
    package static let schema = Schema(
        applicationID: applicationID,
        migrations: [
            Migration(
                to: 1,
                """
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    key BLOB NOT NULL,
                    variant BLOB NOT NULL,
                    type BLOB,
                    version INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    stored REAL NOT NULL,
                    expires REAL,
                    size INTEGER NOT NULL,
                    pieces INTEGER NOT NULL,
                    used INTEGER NOT NULL,
                    head BLOB NOT NULL
                );
                CREATE UNIQUE INDEX entry_key ON entry (key, variant);
                CREATE INDEX entry_used ON entry (used);
                CREATE INDEX entry_type ON entry (type) WHERE type IS NOT NULL;
                CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
                CREATE TABLE tag (
                    tag BLOB NOT NULL,
                    entry INTEGER NOT NULL,
                    PRIMARY KEY (tag, entry)
                ) WITHOUT ROWID;
                CREATE INDEX tag_entry ON tag (entry);
                CREATE TABLE total (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    bytes INTEGER NOT NULL,
                    used INTEGER NOT NULL
                );
                INSERT INTO total VALUES (1, 0, 1);
                """
            ),
            // Answers lay under their URLs and with all their fields, secrets among them: they are asked for anew.
            Migration(
                to: 2,
                """
                DELETE FROM body WHERE id >> 20 IN (SELECT id FROM entry WHERE length(head) > 0 OR pieces < 0);
                DELETE FROM tag WHERE entry IN (SELECT id FROM entry WHERE length(head) > 0 OR pieces < 0);
                DELETE FROM entry WHERE length(head) > 0 OR pieces < 0;
                CREATE INDEX entry_coming ON entry (used) WHERE pieces < 0;
                UPDATE total SET bytes =
                    (SELECT coalesce(sum(size + length(head) + length(key) + 256), 0) FROM entry);
                """
            ),
        ]
    )
}
