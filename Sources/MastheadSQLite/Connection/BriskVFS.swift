import CMastheadSQLite
import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The operating system's files as SQLite has them, but for who waits for the locks in the index of the log.
///
/// Each transaction of a reader takes one of these locks and gives it back, and SQLite has one mutex for each file around
/// both. Who finds that taken sleeps, for longer than most reads take. Here they meet in front of it, at a lock where they
/// look again for a moment first (https://sqlite.org/vfs.html).
///
/// Only over SQLite's own `unix`, of which it is known that nothing in there comes back here or waits.
enum BriskVFS {
    /// What files are to be opened with; `nil`, for what SQLite has anyway, if there is none.
    static let name: String? = register()

    /// What ours is made of: it never changes once it is in here, and outlives all.
    // Invariant of `@unchecked Sendable`: what the pointers point to is never written, but for SQLite's own list of VFSs.
    private struct Origin: @unchecked Sendable {
        /// What SQLite has anyway.
        var system: UnsafeMutablePointer<sqlite3_vfs>?
        /// The methods of its files, and ours.
        var methods: (original: UnsafePointer<sqlite3_io_methods>, own: UnsafePointer<sqlite3_io_methods>)?
    }

    private static let origin = Lock(Origin())

    private static func register() -> String? {
        let name = "masthead"
        guard let system = sqlite3_vfs_find(nil), system == sqlite3_vfs_find("unix"),
            sqlite3_compileoption_used("ENABLE_SETLK_TIMEOUT") == 0, let text = strdup(name)
        else { return nil }
        origin.withLock { $0.system = system }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        // No more of it than the header at hand knows of.
        own.pointee.iVersion = min(own.pointee.iVersion, 3)
        own.pointee.zName = UnsafePointer(text)
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, path, file, flags, opened in
            let system = BriskVFS.origin.withLock { $0.system }
            let code = system?.pointee.xOpen?(system, path, file, flags, opened) ?? SQLITE_CANTOPEN
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file { BriskVFS.adopt(file) }
            return code
        }
        return sqlite3_vfs_register(own, 0) == SQLITE_OK ? name : nil
    }

    /// Gives a file our methods, if its own are those that ours are made of.
    private static func adopt(_ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let found = file.pointee.pMethods, found.pointee.iVersion >= 2, found.pointee.xShmLock != nil else {
            return
        }
        let methods = origin.withLock { origin in
            if origin.methods == nil {
                let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
                own.initialize(to: found.pointee)
                own.pointee.iVersion = min(own.pointee.iVersion, 3)
                own.pointee.xShmLock = { file, offset, count, flags in
                    BriskVFS.origin.withLock { origin in
                        origin.methods?.original.pointee.xShmLock?(file, offset, count, flags) ?? SQLITE_BUSY
                    }
                }
                origin.methods = (found, UnsafePointer(own))
            }
            return origin
        }.methods
        if let methods, methods.original == found { file.pointee.pMethods = methods.own }
    }
}
