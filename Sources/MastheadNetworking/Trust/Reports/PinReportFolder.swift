import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The reports on disk: one file for each that waits, one empty file for each that was made lately.
///
/// All of it blocks.
///
/// One object at a time has the folder, in this process or another; it is locked for as long as that lives.
final class PinReportFolder: Sendable {
    /// A report with its chain is some kilobytes.
    private static let maximumFileSize = 1 << 20

    private let path: String
    private let lock: Int32

    /// Makes the folder, and takes it; `nil` if that cannot be, or if another has it.
    init?(_ path: String) {
        guard StateFolder.make(path) else { return nil }
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return nil }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            return nil
        }
        self.path = path
        self.lock = lock
    }

    deinit {
        close(lock)
    }

    /// What an earlier process left.
    func ledger() -> PinReportLedger {
        var made: [String: Date] = [:]
        var waiting: [String: Date] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let seconds = Int(parts[1]) else { continue }
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            let key = String(parts[0])
            switch parts[2] {
            case "json": waiting[key] = date
            case "made": break
            default: continue
            }
            made[key] = date
        }
        let oldestFirst = waiting.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        return PinReportLedger(made: made, waiting: Array(oldestFirst.prefix(CertificatePinning.maximumReports)))
    }

    /// Keeps a report that waits; `false` if it cannot be written.
    func keep(_ report: PinReport, at date: Date) -> Bool {
        SmallFile.put(Array(report.body), to: file(report.key, date, "json"))
    }

    /// A report that was kept; `nil` if it is gone.
    func report(_ key: String, at date: Date) -> Data? {
        (try? SmallFile.contents(file(key, date, "json"), maximumSize: Self.maximumFileSize)).map { Data($0) }
    }

    /// Removes a report that is done with; that it was made is remembered.
    func finish(_ key: String, at date: Date) {
        _ = SmallFile.put([], to: file(key, date, "made"))
        unlink(file(key, date, "json"))
    }

    /// Forgets that a report was made.
    func forget(_ key: String, at date: Date) {
        unlink(file(key, date, "made"))
    }

    private func file(_ key: String, _ date: Date, _ kind: String) -> String {
        "\(path)/\(key).\(Int(date.timeIntervalSince1970)).\(kind)"
    }
}
