import Foundation
import Glibc
import Synchronization

/// A process that the driver started, stopped by its id when the driver ends, however it ends.
final class ChildProcess: Sendable {
    /// The processes that still run, for the end of the driver.
    private static let running = Mutex<Set<pid_t>>([])

    private let id: pid_t
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, and its arguments.
    ///   - environment: Variables on top of the driver's own.
    ///   - output: The descriptor to take for its standard output; `nil` takes the driver's standard error.
    ///   - errors: The descriptor to take for its standard error; `nil` takes the driver's own.
    ///   - handedOver: Descriptors it gets, by the number it knows them by.
    /// - Throws: When there is no such program, or no process for it.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: Int32? = nil,
        errors: Int32? = nil,
        handedOver: [(descriptor: Int32, number: Int32)] = []
    ) throws(BenchError) {
        guard let program = arguments.first else { throw BenchError("no program to start") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output ?? STDERR_FILENO, STDOUT_FILENO)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        for each in handedOver { posix_spawn_file_actions_adddup2(&actions, each.descriptor, each.number) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The driver blocks the signals it waits for; its children must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = Self.environment(adding: environment).map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var id: pid_t = 0
        let problem = Self.running.withLock { running in
            let problem = posix_spawnp(&id, program, &actions, &attributes, &words, &variables)
            if problem == 0 { running.insert(id) }
            return problem
        }
        guard problem == 0 else { throw BenchError("\(program): \(String(cString: strerror(problem)))") }
        self.id = id
    }

    /// Waits for the end; returns the exit status, or 128 and the signal.
    @discardableResult
    func wait() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var word: Int32 = 0
            while waitpid(id, &word, 0) == -1, errno == EINTR {}
            Self.running.withLock { _ = $0.remove(id) }
            let signal = word & 0x7f
            let ended = signal == 0 ? (word >> 8) & 0xff : 128 + signal
            status = ended
            return ended
        }
    }

    /// Ends the process and waits until it has gone.
    func stop() {
        status.withLock { status in
            if status == nil { _ = kill(id, SIGTERM) }
        }
        wait()
    }

    /// Ends whatever still runs and waits until it has gone; only for the end of the driver.
    static func stopAll() {
        running.withLock { running in
            for id in running { _ = kill(id, SIGTERM) }
            for id in running { _ = waitpid(id, nil, 0) }
        }
    }

    private static func environment(adding added: [String: String]) -> [String] {
        ProcessInfo.processInfo.environment.merging(added) { $1 }.map { "\($0)=\($1)" }
    }
}
