import CMastheadSQLite

extension Connection {
    /// What a connection is for.
    enum Role {
        case writing
        case reading
    }

    /// Opens a file that is there, without a look into it.
    static func open(
        _ path: String,
        options: DatabaseOptions,
        end: Interruption,
        damage: DamageRecord?
    ) throws(DatabaseError) -> Connection {
        _ = isTuned
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, BriskVFS.name)
        guard let handle else { throw DatabaseError(code: SQLITE_NOMEM) }
        let connection = Connection(handle: handle, end: end, damage: damage)
        guard code == SQLITE_OK else { throw connection.failure(code) }
        connection.patience = options.patience.milliseconds
        connection.harden()
        connection.installHandlers()
        return connection
    }

    /// Sets what lasts as long as the connection.
    func prepare(for role: Role, options: DatabaseOptions) throws(DatabaseError) {
        var settings = "PRAGMA cell_size_check=ON;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-\(options.cacheKiB);"
        if options.mappedBytes > 0 { settings += "PRAGMA mmap_size=\(options.mappedBytes);" }
        switch role {
        case .reading:
            settings += "PRAGMA query_only=ON"
        case .writing:
            settings += """
                PRAGMA synchronous=\(options.durability.rawValue);PRAGMA journal_size_limit=\(options.journalBytes);\
                PRAGMA secure_delete=\(options.erasesDeleted ? "ON" : "OFF")
                """
        }
        try execute(.dynamic(settings))
    }

    /// Sees to it that a hostile file can do no more than be wrong.
    private func harden() {
        for (option, value) in [
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ] as [(Int32, Int32)] {
            masthead_sqlite3_db_config_flag(handle, option, value)
        }
    }

    private func installHandlers() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(handle, 2000, stopIfWishedFor, context)
        sqlite3_busy_handler(handle, waitForOthersOf, context)
    }

    /// Waits before one more try to get what another connection holds.
    ///
    /// - Returns: Whether to try.
    fileprivate func waitForOthers(attempt: Int) -> Bool {
        let delay = attempt < busyDelays.count ? busyDelays[attempt] : 100
        let waited = busyDelays.prefix(attempt).reduce(0, +) + max(0, attempt - busyDelays.count) * 100
        guard waited < patience, !isToStop else { return false }
        sqlite3_sleep(Int32(min(delay, patience - waited)))
        return true
    }

    /// Tries again what SQLite does not wait for itself, until it is no longer busy or patience ends.
    func retryingWhileBusy<Result>(
        _ body: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        var attempt = 0
        while true {
            do throws(DatabaseError) {
                return try body()
            } catch .busy where waitForOthers(attempt: attempt) {
                attempt += 1
            }
        }
    }
}

/// What is done once in a process, before its first file is opened.
private let isTuned: Bool = {
    // For a count of the memory that it has, SQLite sends each piece that any connection takes or gives back through one
    // lock, and readers wait for each other there (https://sqlite.org/compile.html, on SQLITE_DEFAULT_MEMSTATUS). Where it
    // is in use already, that is left as it is.
    masthead_sqlite3_config_flag(SQLITE_CONFIG_MEMSTATUS, 0)
    // At each change by another connection, SQLite gives back all pages of its cache, and takes them again right away. The
    // C library would return their memory to the system in between, unless such pieces have come and gone before
    // (mallopt(3), on M_MMAP_THRESHOLD).
    sqlite3_free(sqlite3_malloc(1 << 20))
    return true
}()

private let busyDelays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]

private let stopIfWishedFor: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let context else { return 0 }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    return connection.isToStop ? 1 : 0
}

private let waitForOthersOf: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { context, attempt in
    guard let context else { return 0 }
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    return connection.waitForOthers(attempt: Int(attempt)) ? 1 : 0
}

extension Duration {
    var milliseconds: Int {
        Int(clamping: components.seconds.multipliedReportingOverflow(by: 1000).partialValue)
            + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
