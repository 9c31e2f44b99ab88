import Foundation
import Synchronization

/// Runs the demo as a user does, as a process.
struct Program {
    /// What a run came to.
    struct Outcome {
        let status: Int32
        let output: String
    }

    /// The folder of this package's products.
    static let products: URL = {
        // The tests run from a bundle that stands beside the other products.
        Bundle.allBundles.lazy.map(\.bundleURL.standardizedFileURL)
            .flatMap { [$0, $0.deletingLastPathComponent()] }
            .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "masthead-demo").path) }
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }()

    static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        .standardizedFileURL
    static let magazine = sources.appending(path: "masthead-publisher/Resources/Magazine")

    /// Runs the demo to its end.
    ///
    /// - Parameters:
    ///   - arguments: What follows its name.
    ///   - variables: More variables of its environment.
    ///   - whenPaused: Called each time it waits for Return, with what it has written so far.
    ///   - whenStarted: Called with its pid.
    /// - Returns: Its status and all it wrote.
    /// - Throws: What kept it from starting.
    static func run(
        _ arguments: [String],
        variables: [String: String] = [:],
        whenPaused: (@Sendable (String) -> Void)? = nil,
        whenStarted: (pid_t) -> Void = { _ in }
    ) async throws -> Outcome {
        let process = process(arguments, variables)
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardInput = input
        let ended = try start(process)
        whenStarted(process.processIdentifier)
        let text = try await read(output.fileHandleForReading) { text in
            whenPaused?(text)
            try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        }
        return Outcome(status: await ended.first { _ in true } ?? -1, output: text)
    }

    /// Runs the demo to its end on a terminal.
    static func runOnTerminal(_ arguments: [String], variables: [String: String] = [:]) async throws -> Outcome {
        let terminal = try PseudoTerminal()
        let process = process(arguments, variables)
        process.standardOutput = terminal.device
        let status = try start(process)
        let text = try await terminal.text()
        return Outcome(status: await status.first { _ in true } ?? -1, output: text)
    }

    private static func process(_ arguments: [String], _ variables: [String: String]) -> Process {
        let process = Process()
        process.executableURL = products.appending(path: "masthead-demo")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("MASTHEAD_") && $0.key != "NO_COLOR" }
            .merging(variables) { $1 }
        return process
    }

    /// Starts a process.
    ///
    /// - Returns: The status it ends with.
    private static func start(_ process: Process) throws -> AsyncStream<Int32> {
        let ended = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            ended.continuation.yield($0.terminationStatus)
            ended.continuation.finish()
        }
        try process.run()
        return ended.stream
    }

    /// Reads to the end, on a thread of its own.
    private static func read(_ file: FileHandle, whenPaused: @escaping @Sendable (String) -> Void) async throws
        -> String
    {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var data = Data()
                while case let more = file.availableData, !more.isEmpty {
                    data += more
                    let text = String(decoding: data, as: UTF8.self)
                    if text.hasSuffix("(Return to go on)\n") { whenPaused(text) }
                }
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}

/// Makes a folder, and removes it with what `body` puts there.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nightglass-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Copies the publisher's data, lets `body` change the copy, and removes it.
func withCopyOfTheMagazine<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let copy = FileManager.default.temporaryDirectory.appending(path: "nightglass-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: Program.magazine, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    return try await body(copy)
}
