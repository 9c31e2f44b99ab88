import CMastheadSQLite
import Glibc
import Synchronization

/// The system's files, which note how many threads at once take or give back a lock in the index of a log.
enum CountingVFS {
    static let callCount = Atomic(0)
    static let mostAtOnce = Atomic(0)
    private static let inside = Atomic(0)

    private nonisolated(unsafe) static var system: UnsafeMutablePointer<sqlite3_vfs>?
    private nonisolated(unsafe) static var original: UnsafePointer<sqlite3_io_methods>?
    private nonisolated(unsafe) static let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    /// Makes them what SQLite takes in this process, and knows as its own; before any file is open, and once.
    static func install() -> Bool {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        CountingVFS.system = system
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("unix"))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, path, file, flags, opened in
            guard let system = CountingVFS.system, let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
            let code = open(system, path, file, flags, opened)
            guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file else { return code }
            if CountingVFS.original == nil, let methods = file.pointee.pMethods {
                CountingVFS.original = methods
                CountingVFS.own.initialize(to: methods.pointee)
                CountingVFS.own.pointee.xShmLock = { file, offset, count, flags in
                    CountingVFS.count { CountingVFS.original?.pointee.xShmLock?(file, offset, count, flags) }
                }
            }
            file.pointee.pMethods = UnsafePointer(CountingVFS.own)
            return code
        }
        return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
    }

    private static func count(_ body: () -> Int32?) -> Int32 {
        callCount.add(1, ordering: .relaxed)
        mostAtOnce.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        defer { inside.subtract(1, ordering: .relaxed) }
        sched_yield()
        return body() ?? SQLITE_ERROR
    }
}
