import CMastheadSQLite

extension Connection {
    enum Checkpoint {
        /// Moves what nobody needs, and waits for nobody.
        case passive
        /// Waits for readers, so that the log begins anew.
        case restart
        /// The same, and leaves nothing in it.
        case truncate
    }

    /// Moves pages from the write-ahead log into the file.
    ///
    /// - Returns: The pages in the log, and how many of them are in the file now; `nil` if it could not be tried.
    func checkpoint(_ kind: Checkpoint, patience: Int = 0) -> (pages: Int, moved: Int)? {
        let kept = self.patience
        self.patience = patience
        defer { self.patience = kept }
        var (pages, moved) = (Int32(-1), Int32(-1))
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
        return pages < 0 ? nil : (Int(pages), Int(moved))
    }

    /// Counts the pages in the log from now on, instead of letting SQLite move them within a commit.
    func watchLog() {
        sqlite3_wal_hook(handle, noteLog, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The `errno` of the system call that failed last: as SQLite kept it for the connection, the log, or the file.
    var systemError: Int32 {
        var code = sqlite3_system_errno(handle)
        var log: UnsafeMutablePointer<sqlite3_file>?
        if code == 0, sqlite3_file_control(handle, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK {
            _ = log?.pointee.pMethods?.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code)
        }
        if code == 0 { sqlite3_file_control(handle, nil, SQLITE_FCNTL_LAST_ERRNO, &code) }
        return code
    }

    /// Whether the file that is open is no longer where it was.
    var hasMoved: Bool {
        if sight?.isUnchanged == true { return false }
        sight?.prepare()
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }
}

private let noteLog: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 =
    {
        context,
        _,
        _,
        pages in
        if let context { Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages) }
        return SQLITE_OK
    }
