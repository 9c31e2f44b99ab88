import CMastheadSQLite

extension Connection {
    enum Transaction {
        /// A snapshot to read from.
        case reading
        /// The one that writes: others wait until it ends.
        case writing
    }

    /// Does all of a part, or nothing of it, within the job's transaction.
    ///
    /// An error undoes the part and is thrown on; the job may catch it and go on.
    package func savepoint<Result>(
        _ body: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try run("SAVEPOINT masthead")
        let result: Result
        do {
            result = try body()
            try run("RELEASE masthead")
        } catch {
            // Undoing is never kept from happening by the wish to stop.
            uninterrupted {
                try? run("ROLLBACK TO masthead")
                try? run("RELEASE masthead")
            }
            throw error
        }
        return result
    }

    /// Runs `body` in a transaction of its own: whole, or not at all.
    func transaction<Result>(
        _ kind: Transaction,
        _ body: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try begin(kind)
        let result: Result
        do {
            result = try body()
            try commit()
        } catch {
            rollBack()
            throw error
        }
        return result
    }

    func begin(_ kind: Transaction) throws(DatabaseError) {
        forgetLoss()
        switch kind {
        case .reading: try run("BEGIN")
        case .writing: try run("BEGIN IMMEDIATE")
        }
        isInTransaction = true
        statementCount = 0
    }

    /// Sees that the transaction was neither lost nor ended by the job itself.
    func checkTransaction() throws(DatabaseError) {
        if let loss { throw loss }
        guard sqlite3_get_autocommit(handle) == 0 else { throw .misuse("a job ended its transaction") }
    }

    /// Commits, however much anybody wishes to stop.
    func commit() throws(DatabaseError) {
        try checkTransaction()
        isEnding = true
        defer { isEnding = false }
        try run("COMMIT")
        isInTransaction = false
    }

    /// Rolls back what is left of the transaction; nothing stops it.
    func rollBack() {
        isInTransaction = false
        forgetLoss()
        uninterrupted {
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
        }
    }

    /// Whether no transaction is open, as it must be between jobs.
    var isAtRest: Bool { sqlite3_get_autocommit(handle) != 0 }

    private func uninterrupted(_ body: () -> Void) {
        let kept = isEnding
        isEnding = true
        body()
        isEnding = kept
    }
}
