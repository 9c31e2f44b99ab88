import FoundationEssentials
import Glibc
import Synchronization

/// The demo's publisher, running as a child.
///
/// It ends when its standard input closes, and the kernel closes that when this process ends, however it ends.
final class PublisherProcess: Sendable {
    /// What the publisher says when it is ready.
    struct Addresses: Decodable, Sendable {
        struct Environment: Decodable, Sendable {
            let url: String
            let clientKey: String
        }

        let name: String
        let production: Environment
        let staging: Environment
        let media: String
    }

    /// What the publisher says when it ends.
    struct Account: Decodable, Sendable {
        let requests: Int
        let mediaRequests: Int
        let secretsShownToMediaHost: Int
    }

    let identifier: pid_t

    private let input: Int32
    private let events: Events

    /// Whether it was told to end.
    private let isStopped = Atomic<Bool>(false)

    /// Whether it had to be ended by force.
    private let isForced = Atomic<Bool>(false)

    /// Starts the publisher and waits until it is ready.
    static func start(dataFolder: String?) async throws(Tour.Stop) -> (PublisherProcess, Addresses) {
        let executable = folderOfThisProgram + "/masthead-publisher"
        let process = try PublisherProcess(executable: executable, dataFolder: dataFolder)
        guard let line = await process.events.line(), let addresses: Addresses = decode(line) else {
            let end = await process.events.end()
            throw Tour.Stop(message: "the publisher did not start (\(end))")
        }
        return (process, addresses)
    }

    private init(executable: String, dataFolder: String?) throws(Tour.Stop) {
        let toChild = try Self.pipe()
        let fromChild = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild.read, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild.write, STDOUT_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A group of its own: an interrupt from the keyboard is this process's to deal with.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        let arguments = [executable] + (dataFolder.map { ["--data", $0] } ?? [])
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, executable, &actions, &attributes, &pointers, environ)
        close(toChild.read)
        close(fromChild.write)
        guard status == 0 else {
            close(toChild.write)
            close(fromChild.read)
            throw Tour.Stop(message: "\(executable) cannot be started: \(String(cString: strerror(status)))")
        }
        self.identifier = identifier
        input = toChild.write
        events = Events(output: fromChild.read, identifier: identifier)
    }

    /// How it ended; known once ``stop()`` has returned.
    var ending: String {
        if isForced.load(ordering: .relaxed) { return "it no longer listened, and was ended by force" }
        return events.knownEnd ?? "it still runs"
    }

    /// Tells it to end, and waits until it has; by force after three seconds.
    ///
    /// - Returns: What it had seen; `nil` if it was gone before it could say, or was asked before.
    @discardableResult
    func stop() async -> Account? {
        // A task of its own: also a cancelled walk waits for its publisher.
        await Task { await end() }.value
    }

    private func end() async -> Account? {
        if !isStopped.exchange(true, ordering: .relaxed) { close(input) }
        let force = Task {
            guard (try? await Task.sleep(for: .seconds(3))) != nil else { return }
            isForced.store(true, ordering: .relaxed)
            kill(identifier, SIGKILL)
        }
        defer { force.cancel() }
        let account: Account? = await events.line().flatMap(Self.decode)
        _ = await events.end()
        return account
    }

    private static var folderOfThisProgram: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    private static func decode<Value: Decodable>(_ line: String) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
    }

    private static func pipe() throws(Tour.Stop) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        // Closed in every other child, or the publisher would not see the end of its input.
        guard Glibc.pipe(&ends) == 0 else { throw Tour.Stop(message: "no pipe can be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// What a child writes and how it ends, read on a thread of its own.
private final class Events: Sendable {
    private let lines: AsyncStream<String>
    private let ends: AsyncStream<String>
    private let lastEnd = Mutex<String?>(nil)

    init(output: Int32, identifier: pid_t) {
        let (lines, lineSink) = AsyncStream.makeStream(of: String.self)
        let (ends, endSink) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        self.ends = ends
        Self.detach { [self] in
            Self.readLines(output) { lineSink.yield($0) }
            close(output)
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            let end = signal == 0 ? "it exited with status \(status >> 8 & 0xFF)" : "it was ended by signal \(signal)"
            lastEnd.withLock { $0 = end }
            lineSink.finish()
            endSink.yield(end)
            endSink.finish()
        }
    }

    /// The next line; `nil` after the last.
    func line() async -> String? {
        await lines.first { _ in true }
    }

    /// Waits until the child is gone.
    func end() async -> String {
        for await end in ends { return end }
        return knownEnd ?? "it is gone"
    }

    var knownEnd: String? { lastEnd.withLock { $0 } }

    private static func readLines(_ descriptor: Int32, _ take: (String) -> Void) {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                take(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
    }

    /// Runs something that blocks on a thread of its own.
    private static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
            if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
            return nil
        }
        if pthread_create(&thread, nil, start, box) == 0 { pthread_detach(thread) }
    }
}
