import FoundationEssentials
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// What others change is heard of as soon as there is anybody who would be wrong without it.
@Suite("A cache whose file others change", .timeLimit(.minutes(1)))
struct OthersChangesTests {
    private let folder: CacheFolder
    private let partition: CachePartition
    /// Another cache on the same file: as far as this one knows, another process.
    private let other: CachePartition

    init() async throws {
        folder = try CacheFolder()
        other = try folder.partition()
        try await other.set("old", for: "k")
        try await other.flush()
        partition = try folder.restarted().partition()
    }

    private func change() async throws {
        try await other.set("new", for: "k")
        try await other.flush()
    }

    @Test("what memory took from the disk is not served for ever")
    func read() async throws {
        while await partition.entry(String.self, for: "k")?.origin != .memory { await Task.yield() }
        try await change()
        while await partition.value(String.self, for: "k") != "new" { await Task.yield() }
    }

    @Test("nobody listens for a memory that keeps nothing", arguments: [0, 1 << 20])
    func noMemory(limit: Int) async throws {
        let partition = try folder.restarted { $0.memoryLimit = limit }.partition()
        #expect(await partition.value(String.self, for: "k") == "old")
        #expect(partition.hearsOthers == (limit > 0))
    }

    @Test("what was kept here is not served for ever")
    func kept() async throws {
        try await partition.set("own", for: "k")
        try await partition.flush()
        #expect(await partition.value(String.self, for: "k") == "own")
        try await change()
        while await partition.value(String.self, for: "k") != "new" { await Task.yield() }
    }

    @Test("an answer that memory took from the disk is not served for ever")
    func answers() async throws {
        let shelf = Shelf(Shelf.issue("First", ["Cache-Control": "max-age=60"]))
        let stub = shelf.executor
        _ = try await folder.issues(stub).issue().get()
        try await other.flush()
        let again = folder.restarted()
        let issues = again.issues(stub)
        while try await issues.entry().get().origin != .memory { await Task.yield() }
        try await other.removeAll()
        while try await issues.entry().get().origin != .network { await Task.yield() }
        #expect(stub.requests.count == 2)
    }

    @Test("an observer of what is not there hears of it when it comes", arguments: [false, true])
    func observed(hasRead: Bool) async throws {
        // Reading bytes opens the file, and listens to nobody.
        if hasRead { #expect(await partition.payload(String.self, for: "k") != nil) }
        var changes = partition.changes(Int.self, for: "n").makeAsyncIterator()
        #expect(await changes.next() == .some(nil))
        try await other.set(7, for: "n")
        #expect(await changes.next()??.value == 7)
    }

    @Test("who only reads bytes has nobody listen, and who reads values has")
    func listens() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try CacheFolder()
            let filled = try folder.partition()
            try await filled.set(["k": "text"])
            try await folder.cache.close()
            try #require(!Database.isWatchingFolders)
            let again = folder.restarted()
            let partition = try again.partition()
            try #require(await partition.payload(String.self, for: "k") != nil)
            try #require(await partition.entries(String.self).count == 1)
            try #require(!Database.isWatchingFolders)
            try #require(await partition.value(String.self, for: "k") == "text")
            while !Database.isWatchingFolders { await Task.yield() }
            try await again.cache.close()
        }
    }
}
