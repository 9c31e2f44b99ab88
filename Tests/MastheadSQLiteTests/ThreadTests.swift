import FoundationEssentials
import MastheadSQLite
import Testing

@Suite("Threads and descriptors")
struct ThreadTests {
    @Test("leaves no thread and no descriptor behind")
    func leavesNothing() async throws {
        await #expect(processExitsWith: .success) {
            // What other tests had open when this process began, whatever becomes of the names.
            let inherited = try descriptors()
            func ownDescriptors() throws -> [String] {
                try descriptors().filter { inherited[$0.key] == nil }.map(\.value)
            }
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

/// What this process has open of the databases and to watch their folders, by number; Dispatch opens more of its own at
/// any time.
private func descriptors() throws -> [String: String] {
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let targets = numbers.map { number in
        (number, (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) ?? "")
    }
    return Dictionary(uniqueKeysWithValues: targets.filter { $0.1.contains("masthead-") || $0.1.contains("inotify") })
}
