import FoundationEssentials
import Glibc

/// Counts the transactions that are committed in a cache's one file, as the index of its write-ahead log does.
///
/// That number stands at byte 8 of the index, whoever commits (https://sqlite.org/walformat.html).
final class CommitCounter {
    private let descriptor: Int32

    /// Looks at the file in a folder, which a cache has open.
    ///
    /// - Throws: When there is none, or more than one.
    init(in folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-shm") }
        guard names.count == 1 else { throw Missing(key: "\(folder)/*-shm") }
        // It is never closed: that would take away the locks that SQLite has on it in this process.
        descriptor = open("\(folder)/\(names[0])", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Missing(key: "\(folder)/\(names[0])") }
    }

    /// The number so far; only the difference between two says anything.
    var count: Int {
        var number: UInt32 = 0
        guard pread(descriptor, &number, 4, 8) == 4 else { return 0 }
        return Int(number)
    }
}
