import Foundation
import Glibc

/// A program that is run to its end for what it prints.
enum Command {
    /// Runs a program.
    ///
    /// - Parameters:
    ///   - arguments: The program, and its arguments.
    ///   - environment: Variables on top of the driver's own.
    ///   - seconds: How long it may take.
    /// - Returns: Its standard output.
    /// - Throws: When it can't be started, takes too long or ends with another status than 0.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        seconds: Int
    ) throws(BenchError) -> Data {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError("pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process: ChildProcess
        do {
            defer { close(ends[1]) }
            process = try ChildProcess(arguments, environment: environment, output: ends[1])
        }
        let output = read(ends[0], until: Date(timeIntervalSinceNow: Double(seconds)))
        guard let output else {
            process.stop()
            throw BenchError("\(arguments.joined(separator: " ")): not done after \(seconds) seconds")
        }
        let status = process.wait()
        guard status == 0 else { throw BenchError("\(arguments.joined(separator: " ")): ended with \(status)") }
        return output
    }

    /// Reads to the end; `nil` if the end doesn't come in time.
    private static func read(_ descriptor: Int32, until deadline: Date) -> Data? {
        var output = Data()
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else { return nil }
            guard poll(&poller, 1, Int32(left * 1000) + 1) > 0 else { continue }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 { output.append(contentsOf: chunk[..<count]) }
            if count == 0 || (count < 0 && errno != EINTR) { return output }
        }
    }
}
