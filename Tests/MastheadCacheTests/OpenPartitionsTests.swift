import FoundationEssentials
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

#if os(Linux)
/// Files are open as long as they are used, and nobody who calls waits for their being opened.
@Suite("The files of a cache", .timeLimit(.minutes(1)))
struct OpenPartitionsTests {
    private let folder: CacheFolder
    private let session = TestSession()
    private let issues: IssueRepository

    init() throws {
        folder = try CacheFolder()
        issues = folder.issues(
            Shelf(Shelf.issue("First", ["Cache-Control": "max-age=3600"])).executor,
            session: session
        )
    }

    /// The databases that this process has open in the folder.
    private var open: Set<String> {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let targets = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        return Set(targets.filter { $0.hasPrefix(folder.path) && $0.hasSuffix(".cache") })
    }

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test("of an app's own session are closed when others are used, and when it is over; what is in them stays")
    func users() async throws {
        for number in 0..<12 {
            session.begin("user-\(number)")
            _ = try await issues.issue().get()
            try await issues.cached?.flush()
        }
        await until { open.count <= 4 }
        #expect(!open.isEmpty && open.count <= 4)

        folder.clock.advance(by: .seconds(60))
        #expect(try await issues.issue(.cacheOnly).get().title == "First")
        await until { open.count <= 1 }
        #expect(open.count == 1)

        session.end()
        _ = await issues.issue()
        await until { open.isEmpty }
        #expect(open.isEmpty)

        session.begin("user-0")
        #expect(try await issues.issue(.cacheOnly).get().title == "First")
        #expect(open.count == 1)
    }

    @Test("stay open for who still has one, and are the same for all")
    func held() async throws {
        session.begin("ada")
        let partition = try #require(issues.cached)
        try await partition.set("mine", for: "k")
        session.end()
        #expect(issues.cached == nil)
        session.begin("ada")
        #expect(issues.cached === partition)
        #expect(await partition.value(String.self, for: "k") == "mine")
    }

    @Test("are made and opened on a thread of their own")
    func threads() async throws {
        session.begin("ada")
        let partition = try #require(issues.cached)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/cache"), "not by who asks for it")
        try await partition.set("mine", for: "k")
        try await partition.flush()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/cache"))

        let database = Database(path: folder.path + "/other.db")
        try await database.prepare()
        #expect(try database.lookNow { _ in true } == nil, "no connection is open")
        #expect(try await database.read { _ in true })
        #expect(try database.lookNow { _ in true } == true)
        await database.close()
    }

    @Test("that cannot be made are a problem that is told")
    func unusable() async throws {
        let cache = ModelCache(folder: folder.path + "/no/such/folder")
        let partition = try #require(cache.partition(for: CacheFolder.configuration))
        try await partition.set("mine", for: "k")
        await #expect { try await partition.flush() } throws: { error in
            if case CacheError.unavailable(let reason) = error { reason.contains("folder") } else { false }
        }
    }
}
#endif
