import FoundationEssentials
import Glibc
import MastheadLock
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// What could not be written is not there: memory says nothing else than the disk.
@Suite("A write of a cache that fails", .timeLimit(.minutes(1)))
struct CacheFailureTests {
    private let folder: CacheFolder
    private let partition: CachePartition
    private let problems = Lock<[CacheProblem]>([])
    /// Whether what is written waits for the test.
    private let isHeld = Lock(false)

    init() throws {
        folder = try CacheFolder { [problems, isHeld] in
            $0.onProblem = { problem in problems.withLock { $0.append(problem) } }
            $0.whenInTransaction = { isOpen in
                // On the database's own thread.
                while isOpen, isHeld.withLock({ $0 }) { sched_yield() }
            }
        }
        partition = try folder.partition()
    }

    /// Runs statements on the file as somebody else would; then it may refuse what is written.
    private func run(_ statements: SQL) async throws {
        let file = try #require(folder.files.first { $0.hasSuffix(".cache") })
        let database = Database(path: "\(folder.path)/cache/\(file)")
        try await database.write { (connection) throws(DatabaseError) in try connection.execute(statements) }
        await database.close()
        await partition.settle()
    }

    @Test("leaves what was there before, for readers and observers, and the flush says so")
    func values() async throws {
        try await partition.set("old", for: "k")
        try await partition.flush()
        var changes = partition.changes(String.self, for: "k").makeAsyncIterator()
        #expect(await changes.next()??.value == "old")
        try await run("CREATE TRIGGER refuse BEFORE INSERT ON entry BEGIN SELECT raise(FAIL, 'no'); END")
        isHeld.withLock { $0 = true }
        try await partition.set("new", for: "k")
        try await partition.set("other", for: "l")
        #expect(await changes.next()??.value == "new")
        isHeld.withLock { $0 = false }
        await #expect(throws: CacheError.self) { try await partition.flush() }
        #expect(await partition.value(String.self, for: "k") == "old")
        #expect(await partition.value(String.self, for: "l") == nil)
        #expect(await changes.next()??.value == "old")
        #expect(problems.withLock { $0 }.contains { if case .unwritable = $0 { true } else { false } })

        try await run("DROP TRIGGER refuse")
        try await partition.set("newer", for: "k")
        try await partition.flush()
        #expect(await partition.value(String.self, for: "k") == "newer")
    }

    @Test("leaves what was to be forgotten")
    func removals() async throws {
        try await partition.set("old", for: "k")
        try await partition.flush()
        try await run("CREATE TRIGGER refuse BEFORE DELETE ON entry BEGIN SELECT raise(FAIL, 'no'); END")
        try await partition.remove(String.self, for: "k")
        await #expect(throws: CacheError.self) { try await partition.flush() }
        #expect(await partition.value(String.self, for: "k") == "old")
    }

    @Test("leaves a server's answer as it was, with its old head")
    func answers() async throws {
        let shelf = Shelf(Shelf.issue("First", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        let stub = shelf.executor
        let issues = folder.issues(stub)
        _ = try await issues.issue().get()
        try await partition.flush()
        try await run("CREATE TRIGGER refuse BEFORE UPDATE OF head ON entry BEGIN SELECT raise(FAIL, 'no'); END")
        folder.clock.advance(by: .seconds(61))
        shelf.answer = .status(304, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        #expect(try await issues.entry().get().origin == .revalidated)
        await #expect(throws: CacheError.self) { try await partition.flush() }
        #expect(try await issues.entry().get().origin == .revalidated, "it is stale on disk")
        #expect(stub.requests.count == 3)
    }
}
