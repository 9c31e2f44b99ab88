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
