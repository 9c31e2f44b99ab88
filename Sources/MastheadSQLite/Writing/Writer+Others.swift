import CMastheadSQLite
import MastheadLock

extension Writer {
    /// Looks whether others have committed since the last time, within a transaction that keeps them from it.
    ///
    /// This connection's own commits do not count: SQLite's `data_version` is what others changed, as it sees it.
    func noticeOthers(_ connection: Connection) throws(DatabaseError) {
        guard try connection.noteVersion() else { return }
        line.withLock { $0.counts.foreignChanges += 1 }
        changes.tell(.committed)
        // One of them may have been a newer version of the program.
        if let schema = place.schema { try connection.refuseNewer(than: schema) }
    }

    /// Watches the folder from now on.
    func watch() throws(DatabaseError) {
        let name = place.file.name
        try changes.watch { () throws(DatabaseError) in
            let names: Set = [name, name + "-wal", name + "-journal"]
            return try FolderWatch(folder: place.file.folder, names: names) { [weak self, changes] event in
                switch event {
                case .touched:
                    self?.note { $0.isLookDue = true }
                case .gone:
                    changes.tell(.replaced)
                    changes.end(forGood: false)
                }
            }
        }
    }

    /// Begins to watch, since somebody listens and the file is being read.
    ///
    /// What others did meanwhile may have been read or not: they are told of once.
    func watchSoon() {
        let job = WriteJob(
            ticket: Ticket(),
            work: .alone { writer throws(DatabaseError) in
                let connection = try writer.open()
                try writer.watch()
                try connection.noteVersion()
                writer.changes.tell(.committed)
            }
        )
        // Closed, or too much to do: then the next commit of its own tells.
        try? add(job)
    }

    /// Looks whether others have committed or replaced the file, since something has happened to it.
    ///
    /// The last event of a commit comes before the commit can be seen. Whoever is about to make one holds the lock that
    /// is asked for here: as long as it cannot be had, it is tried again.
    func lookForOthers() {
        guard place.file.exists, connection?.hasMoved != true else {
            if connection != nil { replace() }
            return
        }
        do throws(DatabaseError) {
            let connection = try open()
            let patience = connection.patience
            connection.patience = 0
            defer { connection.patience = patience }
            try connection.transaction(.writing) { () throws(DatabaseError) in try noticeOthers(connection) }
            looks = 0
        } catch .busy {
            sqlite3_sleep(Int32(min(1 << min(looks, 5), 25)))
            looks += 1
            note { $0.isLookDue = true }
        } catch {
            drop(after: error)
        }
    }
}
