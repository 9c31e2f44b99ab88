import MastheadSQLite

extension Library {
    /// How many articles one batch indexes: about a tenth of a second's work, during which nobody else can write.
    private static var batch: Int { 500 }

    /// How much of it can be searched.
    @concurrent
    public func indexState() async throws(LibraryError) -> IndexState {
        try await readAll { connection throws(DatabaseError) in try connection.indexState() }
    }

    /// Indexes what was saved to be indexed later, the first saved first.
    ///
    /// ```swift
    /// try await library.apply {
    ///     $0.indexing = .later
    ///     $0.save(articles)
    /// }
    /// try await library.buildIndex { show("index \($0.percent) % built") }
    /// ```
    ///
    /// It works in batches, each committed by itself: others read and write in between, and when it is called off, or the
    /// process ends, the next call goes on where it was. It ends when nothing is left, and at once if nothing was.
    ///
    /// - Parameter onProgress: Called with what is so at the start and after each batch.
    /// - Throws: ``LibraryError/cancelled`` when the task is cancelled, ``LibraryError/full`` and others; what was built
    ///   until then stays.
    @concurrent
    public func buildIndex(
        onProgress: @Sendable (IndexState) -> Void = { _ in }
    ) async throws(LibraryError) {
        var state = try await indexState()
        onProgress(state)
        while !state.isComplete {
            do throws(DatabaseError) {
                state = try await database.write { connection throws(DatabaseError) in
                    try TextIndex(connection: connection).catchUp(Self.batch)
                    return try connection.indexState()
                }
            } catch {
                throw LibraryError(error)
            }
            onProgress(state)
        }
    }
}

extension Connection {
    fileprivate func indexState() throws(DatabaseError) -> IndexState {
        IndexState(
            articles: try value("SELECT count(*) FROM article") ?? 0,
            pending: try value("SELECT count(*) FROM unindexed_article") ?? 0
        )
    }
}
