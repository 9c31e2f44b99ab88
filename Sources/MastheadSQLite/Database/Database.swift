/// One database file: one connection that writes and a few that read, each on threads of its own.
///
/// Making one costs nothing; the file is opened, made or migrated when it is first needed.
///
/// ```swift
/// let database = Database(
///     path: folder + "/models.db",
///     schema: Schema(
///         applicationID: 0x4D43_4143,
///         migrations: [Migration(to: 1, "CREATE TABLE payload (key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID")]
///     )
/// )
///
/// // Without waiting; what queues up meanwhile is committed together.
/// try database.enqueue { connection throws(DatabaseError) in
///     try connection.run("INSERT OR REPLACE INTO payload VALUES (?, ?)", key, body)
/// }
///
/// // Committed when it returns.
/// let removed = try await database.write { connection throws(DatabaseError) in
///     try connection.run("DELETE FROM payload WHERE key = ?", key)
///     return connection.changeCount
/// }
///
/// // One snapshot, beside whatever is being written.
/// let keys = try await database.read { connection throws(DatabaseError) in
///     try connection.all("SELECT key FROM payload ORDER BY key") { row in row[0] as String }
/// }
///
/// // At once, on this very thread, if a connection is free.
/// let found: [UInt8]?? = try database.readNow { connection throws(DatabaseError) in
///     try connection.value("SELECT body FROM payload WHERE key = ?", key)
/// }
/// ```
///
/// Several of these, in this process or in others, may stand on one file.
///
/// ## Topics
///
/// ### Writing
/// - ``enqueue(_:)``
/// - ``enqueue(_:whenDone:)``
/// - ``write(_:)``
/// - ``flush()``
///
/// ### Reading
/// - ``read(_:)``
/// - ``readNow(_:)``
///
/// ### Others
/// - ``changes()``
/// - ``onChange(_:)``
///
/// ### Keeping it safe
/// - ``backUp(to:onProgress:)``
/// - ``checkIntegrity(_:)``
/// - ``quarantine(keeping:)``
///
/// ### Closing
/// - ``close()``
/// - ``closeAndRemove()``
package final class Database: Sendable {
    let place: DatabasePlace
    let writer: Writer
    let readers: ReaderPool

    /// A database, not opened yet.
    ///
    /// - Parameters:
    ///   - path: Where its file is, or is to be; the folder must be there.
    ///   - schema: What it is to look like; `nil` leaves it as it is.
    ///   - options: How it is opened.
    package init(path: String, schema: Schema? = nil, options: DatabaseOptions = DatabaseOptions()) {
        place = DatabasePlace(file: DatabaseFile(path: path), schema: schema, options: options)
        readers = ReaderPool(place: place)
        writer = Writer(place: place, readers: readers)
        readers.whenOpening { [weak writer] in writer?.watchSoon() }
    }

    /// What was enqueued is still written; then the connections are closed.
    deinit {
        let writer = writer
        writer.close(dropping: false)
        readers.close(dropping: false) { writer.end {} }
    }

    /// Where the file is.
    package var path: String { place.file.path }

    /// What it has done so far.
    package var counts: DatabaseCounts { writer.counts }

    /// How many threads it has at the moment.
    package var threadCount: Int { writer.threadCount + readers.threadCount }

    /// Whether the thread runs that tells all databases of this process what happens in their folders.
    package static var isWatchingFolders: Bool { FolderWatcher.shared.isRunning }
}
