import CMastheadSQLite
import Dispatch
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

    @Test("lets who writes wait for a processor, and nobody else")
    func writesPatiently() async throws {
        await #expect(processExitsWith: .success) {
            let (normal, batch) = (SCHED_OTHER, Int32(3))
            try #require(policy() == normal)
            let folder = try TestFolder()
            let database = Database(path: folder.path(), schema: notes)
            let changes = try await database.changes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        for number in 0..<50 {
                            try await database.insert("\(task) \(number)")
                            try #require(policy() == normal)
                            try #require(try await database.read { _ in policy() } == normal)
                            try #require(policy() == normal)
                        }
                    }
                }
                group.addTask {
                    for await _ in changes { try #require(policy() == normal) }
                }
                try #require(try await database.write { _ in policy() } == batch)
                for _ in 0..<4 { try await group.next() }
                await database.close()
                try await group.waitForAll()
            }
        }
    }

    @Test("lets who is told of a write start threads that are not as the one who writes")
    func tellsImpatiently() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            let database = Database(path: folder.path(), schema: notes)
            let executor = NotingExecutor()
            database.onChange { _ in executor.note() }
            try await Task(executorPreference: executor) {
                for number in 0..<5 { try await database.insert("\(number)") }
                try await Database(path: folder.path(), schema: notes).insert("another's")
                try await database.insert("last")
                await database.close()
            }.value
            let policies = executor.policies.withLock { $0 }
            try #require(policies.count > 8)
            try #require(policies.allSatisfy { $0 == SCHED_OTHER })
        }
    }
}

/// Notes how the threads are scheduled that give it something to do: they may make others, which would be scheduled alike.
private final class NotingExecutor: TaskExecutor {
    let policies = Mutex<[Int32]>([])

    func note() { policies.withLock { $0.append(policy()) } }

    func enqueue(_ job: consuming ExecutorJob) {
        note()
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// How this thread is scheduled.
private func policy() -> Int32 { sched_getscheduler(0) }

/// What this process has open of the databases and to watch their folders, by number; Dispatch opens more of its own at
/// any time.
private func descriptors() throws -> [String: String] {
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let targets = numbers.map { number in
        (number, (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) ?? "")
    }
    return Dictionary(uniqueKeysWithValues: targets.filter { $0.1.contains("masthead-") || $0.1.contains("inotify") })
}
