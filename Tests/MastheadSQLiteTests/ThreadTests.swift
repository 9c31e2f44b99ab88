import FoundationEssentials
import MastheadSQLite
import Testing

@Suite("Threads and descriptors")
struct ThreadTests {
    @Test("leaves no thread and no descriptor behind")
    func leavesNothing() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            var options = DatabaseOptions()
            options.idleTime = .zero
            for _ in 0..<3 {
                let database = Database(path: folder.path(), schema: notes, options: options)
                let changes = try await database.changes()
                try await database.insert(UUID().uuidString)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { _ = try await database.texts } }
                    try await group.waitForAll()
                }
                try await database.backUp(to: folder.path("copy.db"))
                try #require(try ownDescriptors().count > 3)
                await database.close()
                for await _ in changes {}
                while database.threadCount > 0 || Database.isWatchingFolders { await Task.yield() }
                try #require(try ownDescriptors().isEmpty)
            }
        }
    }
}

/// What this process has open of the databases and to watch their folders; Dispatch opens more of its own at any time.
private func ownDescriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return target.flatMap { $0.contains("masthead-") || $0.contains("inotify") ? $0 : nil }
    }
}
