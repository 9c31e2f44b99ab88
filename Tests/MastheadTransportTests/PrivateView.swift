import FoundationEssentials
import Glibc

/// A view of the machine that one thread, and those it starts from then on, have for themselves.
enum PrivateView: Int32 {
    /// The file systems: what is mounted here is mounted nowhere else.
    case mounts = 0x0002_0000
    /// The network: no interface but a loopback that is down.
    case network = 0x4000_0000

    struct Failure: Error {
        let operation: String
        let code: Int32
    }

    /// Whether this process may have one: the system keeps it to those that may administer it.
    static let isAllowed: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let capabilities = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16) } ?? 0
        let administration: UInt64 = 1 << 21
        return capabilities & administration != 0
    }()

    /// Gives it to this thread.
    static func enter(_ view: PrivateView) throws {
        // A GNU extension that the Glibc module leaves out.
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare"), unsafeBitCast(symbol, to: Unshare.self)(view.rawValue) == 0 else {
            throw Failure(operation: "unshare", code: errno)
        }
    }
}
