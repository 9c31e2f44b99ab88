import Foundation
import Glibc

/// The folder of one run; gone when the run is.
final class Workspace {
    /// The folder's path.
    let path: String

    /// Makes one in memory, where the system has a place for that.
    convenience init() throws(BenchError) {
        try self.init(in: ["/dev/shm", ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp", "/tmp"])
    }

    /// Makes one in the first of some folders that takes it.
    init(in parents: [String]) throws(BenchError) {
        for parent in parents {
            var template = Array("\(parent)/masthead-bench.XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
                Interruption.alsoRemove(path)
                return
            }
        }
        throw BenchError("no folder can be made in any of \(parents)")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ contents: Data, to name: String) throws(BenchError) -> String {
        let file = "\(path)/\(name)"
        do {
            try contents.write(to: URL(fileURLWithPath: file))
        } catch {
            throw BenchError("\(file): \(error)")
        }
        return file
    }
}
