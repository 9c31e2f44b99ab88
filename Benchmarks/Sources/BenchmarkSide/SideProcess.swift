import FoundationEssentials
import Glibc

/// The frame of a side's `main`: arguments in, one line out.
public enum SideProcess {
    /// Reads the workload, runs `measure`, prints the result; ends the process with 1 when it fails, 2 when misused.
    public static func run(_ measure: (Workload) async throws -> SideResult) async {
        guard let workload = Workload(arguments: Array(CommandLine.arguments.dropFirst())) else {
            fail("usage: TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES FILE", status: 2)
        }
        do {
            let line = try JSONEncoder().encode(try await measure(workload))
            print(String(decoding: line, as: UTF8.self))
        } catch {
            fail("\(workload.task.rawValue) \(workload.url): \(error)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        var line = message + "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}
