import FoundationEssentials
import Glibc
import MastheadLock
import MastheadTransport
import Testing

/// What the system counts for this process.
struct ProcessTable {
    /// Other tests run beside this one and open sockets of their own.
    static let slack = 64

    let descriptors: Int
    let threads: Int

    init() throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// How many sockets there are with the other end at a port of this machine, whatever they are good for.
    static func connections(to port: Int) throws -> Int {
        try sockets(to: port).count
    }

    /// Waits until something has come on each socket whose other end is at a port of this machine: bytes that nobody has
    /// read, or its end.
    ///
    /// What a server has sent is on its way for a moment, though it be to the same machine.
    static func arrival(from port: Int) async throws {
        // The column says how many bytes wait to be sent, and how many to be read; an end counts as one of these.
        while try sockets(to: port).contains(where: { $0[4].hasSuffix(":00000000") }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The lines of those sockets, in columns.
    private static func sockets(to port: Int) throws -> [[Substring]] {
        let table = try String(contentsOf: URL(filePath: "/proc/self/net/tcp"), encoding: .utf8)
        return table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }.filter { columns in
            // A connection that only waits out its time belongs to no process: it has no inode.
            columns.count > 9 && columns[9] != "0" && columns[2].hasSuffix(":" + hexadecimal(port))
        }
    }

    private static func hexadecimal(_ port: Int) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The most memory this process has had, in bytes.
    static func peakMemory() throws -> Int {
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}

/// Makes tokens and counts those that still live.
final class WeakProbes: Sendable {
    final class Token: Sendable {}

    private struct Reference {
        weak var token: Token?
    }

    private let references = Lock<[Reference]>([])

    func makeToken() -> Token {
        let token = Token()
        references.withLock { $0.append(Reference(token: token)) }
        return token
    }

    var alive: Int { references.withLock { $0.filter { $0.token != nil }.count } }
}

extension Transport {
    /// A transport with a loop of its own, so that what it holds can be counted: no other has this file of authorities.
    ///
    /// The file does not exist, which matters to TLS alone.
    static func alone(idleLifetime: Duration = .seconds(60)) -> Transport {
        let policy = TrustPolicy(certificateAuthorityFile: "/nonexistent/\(UInt64.random(in: 0 ... .max))")
        return Transport(policy: policy, idleLifetime: idleLifetime)
    }
}
