package import MastheadSQLite

extension LibrarySchema {
    /// Up to when, by its own clock, what is stored of a catalogue is known to be what its server has.
    package static let syncing = Migration(
        to: 3,
        "CREATE TABLE sync_mark (catalogue TEXT PRIMARY KEY, date REAL NOT NULL) WITHOUT ROWID"
    )

    /// When an asset had been changed last, by its publisher, when its file was fetched.
    package static let fileDates = Migration(to: 5, "ALTER TABLE asset_file ADD COLUMN updated REAL")
}
