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

    private static let environment = ProcessInfo.processInfo.environment
}

/// Why a peer did not start.
struct PeerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
