import Foundation

/// A real server as a child process: started for the tests that need it, and stopped by its process id.
///
/// ```swift
/// let (server, port) = try await PeerProcess.start(gunicorn, arguments, in: folder) { line in port(in: line) }
/// // …
/// await server.stop()
/// ```
final class PeerProcess: Sendable {
    private let identifier: pid_t
    private let exited: AsyncStream<Never>

    /// Held from the making of a pipe until its child has been started, so that no other child inherits it.
    private static let spawning = NSLock()

    private init(identifier: pid_t, exited: AsyncStream<Never>) {
        self.identifier = identifier
        self.exited = exited
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
        throw PeerError("\(executable.path()) ended before it was ready; see script/bootstrap peers\n\(seen)")
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
        let status = await peer.status()
        guard status == 0 else { throw PeerError("\(executable.lastPathComponent) ended with \(status):\n\(text)") }
        return text
    }

    /// Asks the program to end and waits until it has.
    func stop(_ signal: Int32 = SIGTERM) async {
        // Until its status is taken, an ended child keeps its id, so that this reaches no other process.
        kill(identifier, signal)
        _ = await status()
    }

    /// Waits until the program has ended, and takes its status: as a shell says it, 128 and the signal for a killed one.
    private func status() async -> Int32 {
        for await _ in exited {}
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }

    private static func launch(
        _ executable: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String]
    ) throws -> (PeerProcess, AsyncStream<Data>) {
        let (identifier, reader) = try spawning.withLock {
            let (reader, writer) = try pipe()
            defer { close(writer) }
            do {
                let command = ["-c", #"cd "$0" && exec "$@""#, folder.path(percentEncoded: false)]
                let program = [executable.path(percentEncoded: false)] + arguments
                return (try spawn("/bin/sh", command + program, environment: environment, output: writer), reader)
            } catch {
                close(reader)
                throw error
            }
        }
        let (output, chunks) = AsyncStream<Data>.makeStream()
        let (exited, end) = AsyncStream<Never>.makeStream()
        // Reads to the end even if no one takes it, so that the program never blocks on it; that end comes when the
        // program and all it started are gone.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while case let count = read(reader, &buffer, buffer.count), count > 0 || (count < 0 && errno == EINTR) {
                if count > 0 { chunks.yield(Data(buffer[..<count])) }
            }
            close(reader)
            chunks.finish()
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            end.finish()
        }
        return (PeerProcess(identifier: identifier, exited: exited), output)
    }

    /// Both ends of a pipe that are closed in a child.
    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw PeerError("no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program that hears every signal.
    ///
    /// A child inherits which signals its parent's thread blocks, and the threads of a pool block nearly all of them: it
    /// would never hear that it is to stop.
    private static func spawn(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        output: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argumentList = ([path] + arguments).map { strdup($0) } + [nil]
        var variableList = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argumentList + variableList).forEach { free($0) } }
        var identifier: pid_t = 0
        let problem = posix_spawn(&identifier, path, &actions, &attributes, &argumentList, &variableList)
        guard problem == 0 else {
            throw PeerError("\(path) does not start: errno \(problem)")
        }
        return identifier
    }
}
