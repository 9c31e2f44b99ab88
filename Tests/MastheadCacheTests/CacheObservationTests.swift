import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Observing a cache", .timeLimit(.minutes(1)))
struct CacheObservationTests {
    private let folder: CacheFolder
    private let partition: CachePartition

    init() throws {
        folder = try CacheFolder()
        partition = try folder.partition()
    }

    @Test("a key's observer gets what is there and each change, nothing twice")
    func key() async throws {
        var changes = partition.changes(Bookmark.self, for: "b-7").makeAsyncIterator()
        #expect(await changes.next() == .some(nil))
        try await partition.set(Bookmark(id: "other"), for: "b-8")
        try await partition.set(Bookmark(id: "b-7", articleID: "a-1"), for: "b-7")
        #expect(await changes.next()??.value.articleID == "a-1")
        try await partition.set(Bookmark(id: "b-7", articleID: "a-2"), for: "b-7")
        #expect(await changes.next()??.value.articleID == "a-2")
        try await partition.remove(Bookmark.self, for: "b-7")
        #expect(await changes.next() == .some(nil))
        try await partition.set(Bookmark(id: "b-7", articleID: "a-3"), for: "b-7")
        #expect(await changes.next()??.value.articleID == "a-3")
        try await partition.removeAll()
        #expect(await changes.next() == .some(nil))
    }

    @Test("a slow observer misses what was replaced, and comes to the last")
    func slow() async throws {
        var changes = partition.changes(Int.self, for: "n").makeAsyncIterator()
        #expect(await changes.next() == .some(nil))
        for number in 0..<100 { try await partition.set(number, for: "n") }
        #expect(await changes.next()??.value == 99)
    }

    @Test("a tag's observer and a type's get the list as it is, and after each change")
    func many() async throws {
        var tagged = partition.changes(Bookmark.self, tagged: "orbit").makeAsyncIterator()
        var all = partition.changes(Bookmark.self).makeAsyncIterator()
        #expect(await tagged.next()?.isEmpty == true)
        #expect(await all.next()?.isEmpty == true)
        try await partition.set(Bookmark(id: "b-1"), for: "b-1", tags: ["orbit"])
        #expect(await tagged.next()?.map(\.value.id) == ["b-1"])
        try await partition.set(Bookmark(id: "b-2"), for: "b-2")
        var count = 0
        while count < 2, let list = await all.next() { count = list.count }
        #expect(count == 2)
        try await partition.removeAll(tagged: "orbit")
        #expect(await tagged.next()?.isEmpty == true)
    }

    @Test("what cannot be read is not taken for nothing: it is read again a little later")
    func unreadable() async throws {
        let shelf = Shelf(Shelf.issue("First", ["Cache-Control": "max-age=60"]))
        _ = try await folder.issues(shelf.executor).issue().get()
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", tags: ["orbit"])
        try await folder.cache.close()
        let file = folder.path + "/cache/" + (try #require(folder.files.first { $0.hasSuffix(".cache") }))
        try FileManager.default.moveItem(atPath: file, toPath: folder.path + "/kept")
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)

        let again = folder.restarted()
        let (other, issues) = (try again.partition(), again.issues(shelf.executor))
        async let key = other.changes(Bookmark.self, for: "b-7").first { _ in true }
        async let tagged = other.changes(Bookmark.self, tagged: "orbit").first { _ in true }
        async let answer = issues.changes(of: issues.request(nil)).first { _ in true }
        for _ in 0..<3 {
            try await folder.clock.sleepers(count: 3)
            folder.clock.advance(by: .seconds(30))
        }
        try await folder.clock.sleepers(count: 3)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: folder.path + "/kept", toPath: file)
        folder.clock.advance(by: .seconds(30))
        #expect(await key??.value.id == "b-7")
        #expect(await tagged?.map(\.value.id) == ["b-7"])
        #expect(await answer??.value.title == "First")
    }

    @Test("observers end with the cache, and leave nothing behind when they let go")
    func ends() async throws {
        do {
            var iterator = partition.changes(Int.self, for: "n").makeAsyncIterator()
            #expect(await iterator.next() == .some(nil))
            #expect(partition.observerCount == 1)
        }
        #expect(partition.observerCount == 0)

        let observer = Task { [partition] in
            var seen = 0
            for await _ in partition.changes(Int.self, for: "n") { seen += 1 }
            return seen
        }
        while partition.observerCount == 0 { await Task.yield() }
        try await folder.cache.close()
        #expect(await observer.value <= 1)
        var after = partition.changes(Int.self, for: "n").makeAsyncIterator()
        #expect(await after.next() == nil)
    }
}
