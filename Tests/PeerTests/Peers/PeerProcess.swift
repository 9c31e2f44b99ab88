import Foundation

/// A real server as a child process: started for the tests that need it, and stopped by its process id.
///
/// ```swift
/// let (server, port) = try await PeerProcess.start(gunicorn, arguments, in: folder) { line in port(in: line) }
/// // …
/// await server.stop()
/// ```
final class PeerProcess: Sendable {
    private let process: Process
    private let exit: AsyncStream<Int32>

    private init(process: Process, exit: AsyncStream<Int32>) {
        self.process = process
        self.exit = exit
    }

    /// Starts a program and waits for the line in which it says that it is ready.
    ///
    /// - Parameters:
    ///   - executable: The program.
    ///   - arguments: Its arguments.
    ///   - folder: Its working folder.
    ///   - environment: Variables set beside those of this process.
    ///   - ready: Takes each line of its output, standard error included, until it returns something.
    /// - Returns: The running program, and what `ready` returned.
    /// - Throws: A ``PeerError`` with its output, if it ended instead.
    static func start<Value>(
        _ executable: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        ready: (String) -> Value?
    ) async throws -> (PeerProcess, Value) {
        let (peer, output) = try launch(executable, arguments, in: folder, environment: environment)
        var seen = ""
        var rest = Data()
        for await chunk in output {
            rest.append(chunk)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                if let value = ready(line) { return (peer, value) }
                seen += line + "\n"
            }
        }
        await peer.stop()
        throw PeerError("\(executable.lastPathComponent) ended before it was ready:\n\(seen)")
    }

    /// Runs a program to its end.
    ///
    /// - Returns: What it wrote, standard error included.
    /// - Throws: A ``PeerError`` with that, if its status is not 0.
    @discardableResult
    static func run(
        _ executable: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:]
    ) async throws -> String {
        let (peer, output) = try launch(executable, arguments, in: folder, environment: environment)
        var all = Data()
        for await chunk in output { all.append(chunk) }
        let text = String(decoding: all, as: UTF8.self)
        for await status in peer.exit where status != 0 {
            throw PeerError("\(executable.lastPathComponent) ended with \(status):\n\(text)")
        }
        return text
    }

    /// Asks the program to end and waits until it has.
    func stop(_ signal: Int32 = SIGTERM) async {
        if process.isRunning { kill(process.processIdentifier, signal) }
        for await _ in exit {}
    }

    private static func launch(
        _ executable: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String]
    ) throws -> (PeerProcess, AsyncStream<Data>) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe

        // What is written after the last reader has gone is read and dropped, so that the program never blocks on it.
        let (output, chunks) = AsyncStream<Data>.makeStream()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let chunk = handle.availableData
            if chunk.isEmpty {
                handle.readabilityHandler = nil
                chunks.finish()
            } else {
                chunks.yield(chunk)
            }
        }
        let (exit, statuses) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            statuses.yield($0.terminationStatus)
            statuses.finish()
        }
        do {
            try withNoSignalBlocked { try process.run() }
        } catch {
            pipe.fileHandleForReading.readabilityHandler = nil
            throw PeerError("\(executable.path()) does not start (\(error)); see script/bootstrap peers")
        }
        return (PeerProcess(process: process, exit: exit), output)
    }

    /// A child inherits which signals its parent's thread blocks, and the threads of a pool block nearly all of them:
    /// it would never hear that it is to stop.
    private static func withNoSignalBlocked(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }
}
