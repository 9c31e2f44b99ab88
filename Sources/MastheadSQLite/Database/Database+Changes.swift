extension Database {
    /// Tells what others do to the file: other processes, and other databases of this one.
    ///
    /// What this database writes itself is not told. Changes that come faster than they are taken are told once. The
    /// stream ends when the database is closed, or when the folder is moved or removed.
    ///
    /// ```swift
    /// for await change in try await database.changes() {
    ///     await reload()
    /// }
    /// ```
    ///
    /// - Returns: A stream of all changes from now on.
    /// - Throws: What opening the file or watching its folder failed of.
    package func changes() async throws(DatabaseError) -> AsyncStream<DatabaseChange> {
        let (stream, listener) = AsyncStream.makeStream(of: DatabaseChange.self, bufferingPolicy: .bufferingNewest(1))
        try await alone { writer throws(DatabaseError) in
            // The file before the folder: making it is no news.
            let connection = try writer.open()
            try writer.watch()
            try connection.transaction(.writing) { () throws(DatabaseError) in _ = try connection.noteVersion() }
            let changes = writer.changes
            let (id, _) = changes.add(.init(tell: { listener.yield($0) }, end: { listener.finish() }))
            listener.onTermination = { [weak changes] _ in changes?.remove(id) }
        }
        return stream
    }

    /// Has somebody told what others do to the file, as long as the database is open.
    ///
    /// It opens nothing: the folder is watched from the first reading or writing on. Who has read before that may be told
    /// once of a change that was none. Where the system cannot watch the folder, it is told with the next write.
    ///
    /// - Parameter handler: Called on a thread of the database's own, which it must not keep.
    package func onChange(_ handler: @escaping @Sendable (DatabaseChange) -> Void) {
        if writer.changes.add(.init(tell: handler, end: nil)).mustStart { writer.watchSoon() }
    }
}
