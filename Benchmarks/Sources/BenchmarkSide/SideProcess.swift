import FoundationEssentials
import Glibc

/// The frame of a side's `main`: arguments in, one line out.
public enum SideProcess {
    /// Reads the workload, runs `measure`, prints the result; ends the process with 1 when it fails, 2 when misused.
    public static func run(_ measure: (Workload) async throws -> SideResult) async {
        guard let workload = Workload(arguments: Array(CommandLine.arguments.dropFirst())) else {
            fail("usage: TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES FILE", status: 2)
        }
        await report("\(workload.task.rawValue) \(workload.url)") { try await measure(workload) }
    }

    /// The same for a workload of the area `cache`.
    public static func runCache(_ measure: (CacheWorkload) async throws -> SideResult) async {
        guard let workload = CacheWorkload(arguments: Array(CommandLine.arguments.dropFirst())) else {
            fail("usage: TASK PLACE COUNT ENTRIES BODY-BYTES COMMITS", status: 2)
        }
        await report("\(workload.task.rawValue) \(workload.place)") { try await measure(workload) }
    }

    /// The same for a workload of the area `library`.
    public static func runLibrary(_ measure: (LibraryWorkload) async throws -> SideResult) async {
        guard let workload = LibraryWorkload(arguments: Array(CommandLine.arguments.dropFirst())) else {
            fail("usage: TASK PLACE COUNT ENTRIES [SOURCE]", status: 2)
        }
        await report("\(workload.task.rawValue) \(workload.place)") { try await measure(workload) }
    }

    /// The same for a workload of the area `json`.
    public static func runJSON(_ measure: (JSONWorkload) throws -> SideResult) async {
        guard let workload = JSONWorkload(arguments: Array(CommandLine.arguments.dropFirst())) else {
            fail("usage: TASK FILE COUNT WARM-UP", status: 2)
        }
        await report("\(workload.task.rawValue) \(workload.file)") { try measure(workload) }
    }

    private static func report(_ name: String, _ measure: () async throws -> SideResult) async {
        do {
            let result = try await measure()
            // Afterwards, so that its pages are none of the side's.
            let line = try JSONEncoder().encode(result)
            print(String(decoding: line, as: UTF8.self))
        } catch {
            fail("\(name): \(error)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        var line = message + "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}
