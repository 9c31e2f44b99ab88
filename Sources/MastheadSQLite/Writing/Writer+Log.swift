import MastheadLock

extension Writer {
    /// Moves the write-ahead log into the file when it has grown long.
    ///
    /// After those who waited for a commit were told, hence not by SQLite itself within the commit. What a reader still
    /// needs cannot be moved; it is tried again when he has ended, and with each commit.
    func keepLogShort() {
        guard let connection, connection.logPages >= place.options.checkpointPages else { return }
        guard var (pages, moved) = connection.checkpoint(.passive) else { return }
        // With readers that come one upon the other, there may never be a moment without one: then the next wait.
        if pages >= insistence {
            if let after = connection.checkpoint(.restart, patience: 100) { (pages, moved) = after }
            insistence = moved == pages ? place.options.checkpointPages * 4 : pages * 2
        }
        let state = (pages: pages, isHeld: moved < pages)
        line.withLock { ($0.counts.logPages, $0.counts.isLogHeld) = state }
        guard moved < pages else { return }
        readers.whenOthersEnd { self.note { $0.isCheckpointDue = true } }
    }
}
