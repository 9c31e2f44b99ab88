import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A worker that ended before it was killed.
package struct WorkerEndedByItself: Error, CustomStringConvertible {
    package let description: String
}

/// A process of a program that is to be killed, and what it has said.
///
/// Its methods wait, so they are called on a thread that may.
package final class Worker {
    private let id: pid_t
    private let output: FileHandle
    package private(set) var said = ""

    /// A program's file: it lies beside the tests'.
    package static func program(_ name: String) throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: program).deletingLastPathComponent().appending(path: name).path
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - program: Which program.
    ///   - mode: What it does.
    ///   - folder: Where.
    ///   - seed: What its chance comes from.
    ///   - stall: The transaction in which it waits to be killed; 0 for none.
    /// - Throws: What kept it from being started.
    package convenience init(_ program: String, _ mode: String, folder: String, seed: UInt64 = 1, stall: Int = 0) throws
    {
        try self.init([Self.program(program), mode, folder, "\(seed)", "\(stall)"])
    }

    /// Starts a program that becomes a worker.
    package init(_ arguments: [String]) throws {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var id = pid_t()
        let code = posix_spawn(&id, arguments[0], &actions, nil, &words, nil)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        try pipe.fileHandleForWriting.close()
        self.id = id
        output = pipe.fileHandleForReading
    }

    /// Waits until it has begun a number of transactions, or has ended.
    package func waitForTransactions(_ count: Int) {
        while said.utf8.count(where: { $0 == UInt8(ascii: "T") }) < count, hear() {}
    }

    /// Kills it, and hears what it still said.
    ///
    /// - Returns: Whether it had said last that a transaction is open.
    package func kill() throws -> Bool {
        sendSignal(id, SIGKILL)
        while hear() {}
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        guard status & 0x7F == SIGKILL else {
            throw WorkerEndedByItself(description: "the worker ended by itself: status \(status), \(said.suffix(200))")
        }
        return said.last { $0 == "T" || $0 == "t" } == "T"
    }

    /// Waits until it has said a letter so often.
    package func waitFor(_ letter: Character, count: Int) {
        while numbers(letter).count < count, hear() {}
    }

    /// Waits until it ends.
    ///
    /// - Returns: Its exit status.
    package func wait() -> Int32 {
        while hear() {}
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// What it said went wrong.
    package var errors: [String] {
        said.split(separator: "\n").compactMap { line in
            line.firstRange(of: "E ").map { String(line[$0.upperBound...]) }
        }
    }

    /// The numbers behind a letter, in the order in which they were said.
    package func numbers(_ letter: Character) -> [Int] {
        said.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, words[0].last == letter else { return nil }
            return Int(words[1])
        }
    }

    private func hear() -> Bool {
        let data = output.availableData
        said += String(decoding: data, as: UTF8.self)
        return !data.isEmpty
    }
}

/// Runs what waits on a thread of its own.
package func onThread<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// The C function, which a method of that name hides.
private func sendSignal(_ id: pid_t, _ signal: Int32) {
    _ = kill(id, signal)
}

/// Waits without giving the processor away: for a moment within another process's work.
package func spin(nanoseconds: UInt64) {
    var time = timespec()
    func now() -> UInt64 {
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
    let start = now()
    while now() - start < nanoseconds {}
}
