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

    init(_ path: String) {
        whole = path
    }

    /// The file's name, for a message.
    var name: String { whole.split(separator: "/").last.map(String.init) ?? whole }

    /// What the part file began with; `nil` if nothing usable is there.
    func readState() -> ResumeState? {
        guard let data = FileManager.default.contents(atPath: stateFile), data.count <= 64 << 10 else { return nil }
        return try? JSONDecoder().decode(ResumeState.self, from: data)
    }

    /// Keeps the state; if that fails, the download can only not be gone on with.
    func write(_ state: ResumeState) {
        guard let data = try? JSONEncoder().encode(state) else { return }
        try? data.write(to: URL(filePath: stateFile), options: .atomic)
    }

    func removeState() {
        unlink(stateFile)
    }

    /// The error of the system call that just failed.
    func failure(_ what: String) -> RepositoryError {
        .fileAccess(reason: "\(name) \(what): \(String(cString: strerror(errno)))")
    }
}
