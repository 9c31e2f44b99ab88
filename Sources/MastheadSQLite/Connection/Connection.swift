import CMastheadSQLite

/// One connection to a database, in the hands of the one job that runs on it.
///
/// A job is given it by ``Database`` and cannot keep it. Each call prepares its statement once for the life of the
/// connection, binds the values in order, and leaves nothing bound behind:
///
/// ```swift
/// try connection.run("UPDATE payload SET used = ? WHERE key = ?", now, key)
/// let etag: String? = try connection.value("SELECT etag FROM payload WHERE key = ?", key)
/// ```
package final class Connection {
    let handle: OpaquePointer
    /// The wish to stop the job that runs now.
    var interruption: Interruption?
    /// The wish to stop whatever runs, since the database goes.
    let end: Interruption
    /// How long SQLite waits for others, in milliseconds.
    var patience = 0
    /// Whether the transaction of the jobs' owner is meant to be open.
    var isInTransaction = false
    /// How many statements were begun in it, but for those that are run as a text.
    var statementCount = 0
    /// Called once in a transaction that becomes long.
    var whenLong: (() -> Void)?
    /// Whether the transaction is about to end, which nothing stops.
    var isEnding = false
    /// How many pages the write-ahead log had after the last commit.
    var logPages = 0
    /// What others had changed when it was last looked at.
    private var version = 0
    /// Where it is noted that the file is damaged; `nil` for a file that is nobody's yet.
    let damage: DamageRecord?
    /// What spares most looks along the path for the file.
    var sight: FileSight?
    /// Why SQLite rolled that transaction back by itself; nothing runs until its owner has taken notice.
    private(set) var loss: DatabaseError?
    private var statements = StatementCache()
    private let room = BindingRoom()

    init(handle: OpaquePointer, end: Interruption, damage: DamageRecord?) {
        self.handle = handle
        self.end = end
        self.damage = damage
    }

    deinit {
        statements.removeAll()
        // What is to be removed need not be tidied up first.
        if end.isWished { masthead_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Takes the statement of a text, prepared now or earlier, to run it once.
    @usableFromInline
    package func begin(_ sql: SQL) throws(DatabaseError) -> Statement {
        try admit()
        noteStatement()
        if let statement = statements.find(sql) {
            if !statement.isBusy { return occupy(statement) }
            return occupy(try prepare(sql, keeping: false))
        }
        let statement = try prepare(sql, keeping: true)
        statements.keep(statement)
        return occupy(statement)
    }

    private func noteStatement() {
        statementCount += 1
        if statementCount == Self.manyStatements { whenLong?() }
    }

    /// How many statements make a transaction long: it takes milliseconds, and most likely writes more than is kept in
    /// memory.
    private static let manyStatements = 1000

    private func occupy(_ statement: Statement) -> Statement {
        statement.isBusy = true
        statement.roomMark = room.used
        return statement
    }

    /// Binds nothing any longer, and lets the next call have the statement.
    @usableFromInline
    package func end(_ statement: Statement) {
        sqlite3_reset(statement.handle)
        sqlite3_clear_bindings(statement.handle)
        room.release(to: statement.roomMark)
        statement.isBusy = false
    }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline
    package func step(_ statement: Statement) throws(DatabaseError) -> Bool {
        let code = sqlite3_step(statement.handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code, of: statement.sql)
    }

    /// Takes the values that were bound, and says what was wrong with them.
    @usableFromInline
    package func check(_ bindings: borrowing Bindings, of statement: Statement) throws(DatabaseError) {
        guard bindings.count == statement.parameterCount else {
            let counts = "\(bindings.count) values for \(statement.parameterCount) parameters"
            throw .misuse(counts, statement: statement.sql)
        }
        guard bindings.code == SQLITE_OK else { throw failure(bindings.code, of: statement.sql) }
    }

    private func prepare(_ sql: SQL, keeping isKept: Bool) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        var hasMore = false
        let code = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var rest: UnsafePointer<CChar>?
                let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
                let code = sqlite3_prepare_v3(handle, text.baseAddress, Int32(text.count), flags, &statement, &rest)
                if let start = text.baseAddress, let rest {
                    hasMore = text[(rest - start)...].contains { $0 > 0x20 && $0 != 0x3B }
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw failure(code, of: sql) }
        guard let statement else { throw .misuse("no statement", statement: sql) }
        let prepared = Statement(handle: statement, sql: sql, isKept: isKept, room: room)
        guard !hasMore else { throw .misuse("more than one statement", statement: sql) }
        return prepared
    }

    /// Notes what others have changed.
    ///
    /// - Returns: Whether they have since the last call.
    @discardableResult
    func noteVersion() throws(DatabaseError) -> Bool {
        let now = try value("PRAGMA data_version", as: Int.self) ?? 0
        defer { version = now }
        return version != now
    }

    // MARK: Failures

    /// Whether somebody wishes that it should stop; never while a transaction ends.
    var isToStop: Bool {
        guard !isEnding else { return false }
        return end.isWished || interruption?.isWished == true
    }

    /// Lets nothing run that was told to stop, or whose transaction is gone.
    func admit() throws(DatabaseError) {
        if let loss { throw loss }
        if isToStop { throw .cancelled }
    }

    /// What a result code means, taken while the handle still knows the rest.
    func failure(_ code: Int32, of sql: SQL? = nil) -> DatabaseError {
        let primary = code & 0xFF
        let offset = primary == SQLITE_ERROR ? sqlite3_error_offset(handle) : -1
        let error = DatabaseError(
            code: code,
            systemError: primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN ? systemError : 0,
            statement: sql,
            offset: offset < 0 ? nil : Int(offset)
        )
        if case .damaged = error { noteDamage() }
        // SQLite ends the whole transaction at some errors, and a job may go on regardless.
        if isInTransaction, sqlite3_get_autocommit(handle) != 0 { loss = error }
        return error
    }

    /// Notes that the file is damaged, if it is still where it was.
    func noteDamage() {
        // And leaves its log as it is, for whoever looks at it later.
        masthead_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        damage?.note(isHere: !hasMoved)
    }

    /// Forgets that the transaction was lost, since its owner knows.
    func forgetLoss() {
        loss = nil
    }
}

@available(*, unavailable)
extension Connection: Sendable {}
