import CrashKit
import Foundation
import Testing

@Suite("A cache on a full disk", .timeLimit(.minutes(2)))
struct FullDiskTests {
    /// Whether this process may make a disk of its own; in CI it must.
    private static let mayMount: Bool = {
        if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        let script = "mount -t tmpfs -o size=1m tmpfs /mnt"
        let worker = try? Worker(["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script])
        return worker?.wait() == 0
    }()

    @Test(
        "it says so, can be read, and goes on when there is space again",
        .enabled(if: mayMount, "the kernel gives this user no mount namespace")
    )
    func full() async throws {
        let folder = try TestFolder()
        let path = folder.path
        let program = try Worker.program("CacheWorker")
        let (status, said, errors) = try await onThread {
            let script = "mount -t tmpfs -o size=8m tmpfs '\(path)' && exec '\(program)' full '\(path)' 1 0"
            let worker = try Worker([
                "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script,
            ])
            return (worker.wait(), worker.numbers("D"), worker.errors)
        }
        #expect(errors.isEmpty)
        #expect(status == 0)
        #expect(said == [1])
    }
}
