extension Database {
    /// Does what was enqueued, closes all connections, and leaves one file with everything in it.
    ///
    /// Afterwards everything throws `.closed`.
    package func close() async {
        await end(dropping: false)
    }

    /// Gives up what was enqueued, stops what runs, and removes the file and those beside it.
    ///
    /// Afterwards everything throws `.closed`.
    package func closeAndRemove() async throws(DatabaseError) {
        place.end.wish()
        await end(dropping: true)
        let file = place.file
        let outcome = await OwnThread.run { () -> Result<Void, DatabaseError> in
            Result { () throws(DatabaseError) in try file.remove() }
        }
        try outcome.get()
    }

    private func end(dropping isDropped: Bool) async {
        writer.close(dropping: isDropped)
        await withCheckedContinuation { continuation in
            readers.close(dropping: isDropped) { [writer] in
                // Last, so that the write-ahead log can be moved whole.
                writer.end { continuation.resume() }
            }
        }
    }
}
