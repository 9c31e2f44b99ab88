import Foundation
import MastheadTesting
import Testing

@Suite("An interrupted demo", .timeLimit(.minutes(1)))
struct InterruptTests {
    @Test("ends its publisher and clears up", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let outcome = try await Program.run(["--check", "--step"]) { text in
            guard text.components(separatedBy: "(Return to go on)").count == 4,
                let publisher = text.firstMatch(of: /pid ([0-9]+)/).flatMap({ Int($0.output.1) }),
                let status = try? String(contentsOfFile: "/proc/\(publisher)/stat", encoding: .utf8),
                let demo = status.split(separator: " ").dropFirst(3).first.flatMap({ pid_t($0) })
            else { return }
            kill(demo, signal)
        }
        let publisher = try #require(outcome.output.firstMatch(of: /pid ([0-9]+)/)?.output.1)

        #expect(outcome.status == 130, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("interrupted\n"))
        // Waited for by the demo, so not even a zombie is left.
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(publisher)"))
    }

    @Test("gives a sync up that waits for its server")
    func interruptedSync() async throws {
        let server = try ScriptedServer(.never)
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)"
        let outcome = try await withTemporaryFolder { folder in
            let library = folder.appending(path: "library").path
            return try await Program.run(
                ["sync", "--server", url, "--client-key", "k", "--library", library],
                whenStarted: { demo in
                    Task {
                        _ = try await server.request(0)
                        kill(demo, SIGINT)
                    }
                }
            )
        }

        #expect(outcome.status == 130 && outcome.output.hasSuffix("interrupted\n"), "\(outcome.output)")
    }
}
