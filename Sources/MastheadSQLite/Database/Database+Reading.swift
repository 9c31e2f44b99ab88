extension Database {
    /// Reads from one snapshot, on a thread of the database's own.
    ///
    /// A task that is cancelled stops its reading.
    package func read<Output: Sendable>(_ body: @escaping Job<Output>) async throws(DatabaseError) -> Output {
        // Twice at most, unless another process takes the file away in between.
        for _ in 0..<4 {
            if let output = try await readIfPrepared(body) { return output }
            try await prepare()
        }
        throw .busy
    }

    /// Reads from one snapshot, on the caller's thread and at once: for a bounded number of rows found by their key.
    ///
    /// It never waits, neither for a connection nor for another process.
    ///
    /// - Parameters:
    ///   - mayOpen: Whether a connection is opened if none is free, which may wait for the disk.
    ///   - body: Reads.
    /// - Returns: What `body` made; `nil` if no connection is free or another holds the file, or if the file must be made
    ///   or migrated first. Use ``read(_:)`` then.
    /// - Throws: What reading failed of.
    package func readNow<Output: Sendable>(
        mayOpen: Bool = true,
        _ body: @Sendable (Connection) throws(DatabaseError) -> Output
    ) throws(DatabaseError) -> Output? {
        try readers.now(mayOpen: mayOpen) { (connection) throws(DatabaseError) in
            try connection.transaction(.reading) { () throws(DatabaseError) in try body(connection) }
        }
    }

    /// Does the same as ``readNow(_:)`` for a body that runs one statement, which sees one snapshot by itself; it opens no
    /// connection, which may wait for the disk.
    package func lookNow<Output: Sendable>(
        _ body: @Sendable (Connection) throws(DatabaseError) -> Output
    ) throws(DatabaseError) -> Output? {
        try readers.now(mayOpen: false, body)
    }

    /// - Returns: `nil` if the file must be made or migrated first.
    private func readIfPrepared<Output: Sendable>(
        _ body: @escaping Job<Output>
    ) async throws(DatabaseError) -> Output? {
        let ticket = Ticket<Output?>()
        let job = ReadJob(ticket: ticket, place: place, body: body)
        return try await ticket.outcome { [readers] in readers.add(job) }.get()
    }
}
