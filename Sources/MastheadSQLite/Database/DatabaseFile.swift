#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A database's file and those that SQLite keeps beside it.
struct DatabaseFile: Sendable {
    let path: String

    /// - Parameter path: Where the file is, or is to be; relative to the current folder if it does not begin with `/`.
    init(path: String) {
        if path.hasPrefix("/") {
            self.path = path
        } else {
            // Not as given: `:memory:`, `file:…` and an empty path mean something else to SQLite.
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let folder = getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "."
            self.path = "\(folder)/\(path)"
        }
    }

    /// The write-ahead log, its index, and the journal of a file that has no write-ahead log.
    var companions: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

    var exists: Bool { access(path, F_OK) == 0 }

    /// The folder that it is in.
    var folder: String {
        let end = path.utf8.lastIndex(of: 0x2F) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Its own name.
    var name: String { String(path[path.index(after: path.utf8.lastIndex(of: 0x2F) ?? path.startIndex)...]) }

    /// Which file is in this place, whatever was there before.
    struct Identity: Sendable, Hashable {
        let device: UInt64
        let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// The file that is there now.
    var identity: Identity? { Self.identity(of: path) }

    /// What is at a path.
    static func identity(of path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// What is open.
    static func identity(of descriptor: Int32) -> Identity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Identity(status) : nil
    }

    /// Makes an empty file that only its owner can read, unless there is one; SQLite gives its companions the same mode.
    func create() throws(DatabaseError) {
        guard !path.utf8.contains(0) else { throw .cannotOpen(reason: "a zero byte in the path") }
        // Not by opening it: closing a descriptor takes away all locks that this process has on the file.
        guard mknod(path, S_IFREG | 0o600, 0) != 0, errno != EEXIST else { return }
        throw .system(errno)
    }

    /// Removes all of them.
    func remove() throws(DatabaseError) {
        // The file goes first: SQLite drops a log that it finds beside an empty file, but a file without its log may be
        // half of two states.
        for path in [path] + companions where unlink(path) != 0 && errno != ENOENT {
            throw .system(errno)
        }
    }

    /// Puts the file in the place of another, and sees to it that it is there after a crash of the system.
    func move(to target: String) throws(DatabaseError) {
        guard rename(path, target) == 0 else { throw .system(errno) }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
