import Foundation

/// Whether the tests against real servers run, and with what.
enum Peers {
    /// Whether they were asked for.
    static let areWanted = environment["MASTHEAD_PEERS"] == "1"

    /// What to say where they were not.
    static let hint = "script/test --all, or MASTHEAD_PEERS=1 after script/bootstrap peers"

    /// The repository's own folder.
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The shared samples folder.
    static let samples = URL(filePath: environment["MASTHEAD_SHARED"] ?? root.appending(path: "../shared").path())
        .standardizedFileURL
        .appending(path: "samples")

    /// Whether tests that need these files can run.
    ///
    /// With `CI=true` the answer is yes whatever is missing, so that the test fails instead of being skipped.
    static func have(_ files: URL...) -> Bool { have(files) }

    static func have(_ files: [URL]) -> Bool {
        areWanted
            && (environment["CI"] == "true" || files.allSatisfy { FileManager.default.fileExists(atPath: $0.path()) })
    }

    /// A port that nothing listens on at the moment, and that something may by the time that it is used.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, bound else { throw PeerError("no socket: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static let environment = ProcessInfo.processInfo.environment
}

/// Why a peer did not start.
struct PeerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
