import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a download, its part file and what is known of that are.
struct PartPaths: Sendable {
    let whole: String
    var part: String { whole + ".part" }
    private var stateFile: String { whole + ".part.json" }

    /// Takes a path that can be one of a file.
    init(_ path: String) throws(RepositoryError) {
        whole = path
        // C takes a NUL for the end, and would write another file.
        guard !path.isEmpty, !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
            throw .fileAccess(reason: "no path of a file")
        }
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
            throw .fileAccess(reason: "\(name) is a folder")
        }
    }

    /// The file's name, for a message.
    var name: String { whole.split(separator: "/").last.map(String.init) ?? whole }

    /// Opens the part file, or makes it, and locks it.
    ///
    /// - Throws: ``RepositoryError/fileAccess(reason:)``, also while another download has it.
    func openPart() throws(RepositoryError) -> Int32 {
        while true {
            let descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard descriptor >= 0 else { throw failure("cannot be written") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw .fileAccess(reason: "\(name) is being downloaded already")
            }
            // Between the two calls another download may have put this very file into its place.
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, stat(part, &named) == 0, opened.st_ino == named.st_ino,
                opened.st_dev == named.st_dev
            {
                return descriptor
            }
            close(descriptor)
        }
    }

    /// What the part file began with; `nil` if nothing usable is there.
    func readState() -> ResumeState? {
        guard let bytes = try? SmallFile.contents(stateFile, maximumSize: 64 << 10) else { return nil }
        return try? ModelCoding.decode(ResumeState.self, from: Data(bytes))
    }

    /// Keeps the state; if that fails, the download can only not be gone on with.
    func write(_ state: ResumeState) {
        var bytes: [UInt8] = []
        guard (try? ModelCoding.encode(state, to: &bytes)) != nil else { return }
        _ = SmallFile.put(bytes, to: stateFile)
    }

    func removeState() {
        unlink(stateFile)
        unlink(SmallFile.newPath(of: stateFile))
    }

    /// The error of the system call that just failed.
    func failure(_ what: String) -> RepositoryError {
        .fileAccess(reason: "\(name) \(what): \(String(cString: strerror(errno)))")
    }
}
