import CMastheadSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Connection {
    /// Copies the snapshot that this connection reads into a new file, and puts that in its place when it is whole.
    func copy(to target: DatabaseFile, onProgress: (Double) -> Void) throws(DatabaseError) {
        // A log beside the target would be taken for that of the copy.
        guard target.companions.allSatisfy({ access($0, F_OK) != 0 }) else {
            throw .cannotOpen(reason: "the target is in use as a database")
        }
        let part = DatabaseFile(path: target.path + ".part-\(UInt32.random(in: 0 ... .max))")
        try part.create()
        do throws(DatabaseError) {
            try copyPages(to: part, onProgress: onProgress)
            try part.move(to: target.path)
        } catch {
            try? part.remove()
            throw error
        }
    }

    private func copyPages(to part: DatabaseFile, onProgress: (Double) -> Void) throws(DatabaseError) {
        // A copy is taken from one snapshot, so that it need not begin anew whenever somebody commits.
        try run("SELECT count(*) FROM sqlite_schema")
        let copy = try Connection.open(part.path, options: DatabaseOptions(), end: end, damage: nil)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.failure(sqlite3_extended_errcode(copy.handle))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK, !isToStop {
            code = sqlite3_backup_step(backup, 200)
            let total = Double(max(sqlite3_backup_pagecount(backup), 1))
            onProgress(1 - Double(sqlite3_backup_remaining(backup)) / total)
        }
        let result = sqlite3_backup_finish(backup)
        guard code != SQLITE_OK else { throw .cancelled }
        guard code == SQLITE_DONE else {
            throw code & 0xFF == SQLITE_CORRUPT ? failure(code) : copy.failure(code)
        }
        guard result == SQLITE_OK else { throw copy.failure(result) }
    }
}
