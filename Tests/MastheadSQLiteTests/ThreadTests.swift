import CMastheadSQLite
import FoundationEssentials
import Glibc
import MastheadSQLite
import Synchronization
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

    @Test("lets threads meet in front of SQLite's locks, and has it count no memory")
    func meetsInFront() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            let database = Database(path: folder.path(), schema: notes)
            try await database.insert("a")
            try #require(sqlite3_memory_used() == 0)
            await database.close()
        }
        await #expect(processExitsWith: .success) {
            try #require(CountingVFS.install())
            let folder = try TestFolder()
            let database = Database(path: folder.path(), schema: notes)
            try await database.insert("a")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<100 { _ = try await database.texts } }
                }
                group.addTask { for number in 0..<50 { try await database.insert("b\(number)") } }
                try await group.waitForAll()
            }
            await database.close()
            try #require(CountingVFS.callCount.load(ordering: .relaxed) > 900)
            try #require(CountingVFS.mostAtOnce.load(ordering: .relaxed) == 1)
        }
    }

    @Test("has who writes wait for a processor, and who reads not")
    func writesPatiently() async throws {
        let folder = try TestFolder()
        let database = Database(path: folder.path(), schema: notes)
        let batch: Int32 = 3
        #expect(try await database.write { _ in sched_getscheduler(0) } == batch)
        #expect(try await database.read { _ in sched_getscheduler(0) } != batch)
        await database.close()
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
