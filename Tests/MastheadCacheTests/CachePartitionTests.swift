import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

struct Bookmark: Codable, Sendable, Hashable {
    let id: String
    var articleID = "a-1"
}

@Suite("A cache's partition")
struct CachePartitionTests {
    private let folder: CacheFolder
    private let partition: CachePartition

    init() async throws {
        folder = try CacheFolder()
        partition = try folder.partition()
        // Memory is emptied once when that begins.
        await partition.settle()
    }

    /// The partition after the app's next start.
    private func restarted() async throws -> CachePartition {
        try await folder.cache.close()
        return try folder.restarted().partition()
    }

    @Test("what was kept is found at once, and after the app's next start")
    func keeps() async throws {
        try await partition.set(Bookmark(id: "b-7"), for: "b-7")

        let entry = try #require(await partition.entry(Bookmark.self, for: "b-7"))
        #expect(entry.value == Bookmark(id: "b-7"))
        #expect(entry.origin == .memory)
        #expect(entry.freshness == .fresh)

        let second = try await restarted()
        await second.settle()
        let again = try #require(await second.entry(Bookmark.self, for: "b-7"))
        #expect(again.value == Bookmark(id: "b-7"))
        #expect(again.origin == .disk)
        #expect(await second.entry(Bookmark.self, for: "b-7")?.origin == .memory)
        #expect(await second.entry(Bookmark.self, for: "b-8") == nil)
    }

    @Test("a key stands for one value of each type")
    func types() async throws {
        try await partition.set(Bookmark(id: "b-7"), for: "x")
        try await partition.set("text", for: "x")
        try await partition.set(7, for: "x")
        try await partition.remove(String.self, for: "x")
        let second = try await restarted()
        #expect(await second.value(Bookmark.self, for: "x")?.id == "b-7")
        #expect(await second.value(String.self, for: "x") == nil)
        #expect(await second.value(Int.self, for: "x") == 7)
    }

    @Test("an optional that is nothing is kept as such, and is not the same as nothing kept")
    func optionals() async throws {
        #expect(await partition.entry(Int?.self, for: "n") == nil)
        try await partition.set(Int?.none, for: "n")
        #expect(await partition.entry(Int?.self, for: "n")?.value == .some(nil))
        let second = try await restarted()
        await second.settle()
        #expect(await second.entry(Int?.self, for: "n")?.value == .some(nil))
        #expect(await second.entry(Int?.self, for: "n")?.origin == .memory)
        #expect(await second.entry(Int?.self, for: "other") == nil)
    }

    @Test("a value's time to live runs out by the wall clock, and the value is still there")
    func timeToLive() async throws {
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", timeToLive: .seconds(10))
        folder.clock.advance(by: .seconds(9))
        #expect(await partition.value(Bookmark.self, for: "b-7") != nil)
        folder.clock.advance(by: .seconds(1))
        #expect(await partition.value(Bookmark.self, for: "b-7") == nil)
        let entry = try #require(await partition.entry(Bookmark.self, for: "b-7"))
        #expect(entry.freshness == .stale)
        #expect(entry.age == .seconds(10))
    }

    @Test("a clock set back leaves nothing fresh for ever, and one set forward loses nothing")
    func clockChanges() async throws {
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", timeToLive: .seconds(1800))
        folder.clock.date -= 3600
        let back = try #require(await partition.entry(Bookmark.self, for: "b-7"))
        #expect(back.freshness == .stale)
        #expect(back.age == .zero)
        folder.clock.date += 365 * 86400
        #expect(await partition.entry(Bookmark.self, for: "b-7")?.freshness == .stale)
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", timeToLive: .seconds(1800))
        #expect(await partition.value(Bookmark.self, for: "b-7") != nil)
    }

    @Test("what comes out is exactly what went in, floats that JSON has not among it")
    func exactness() async throws {
        let values = [Double.infinity, -.infinity, 0.1 + 0.2, .leastNonzeroMagnitude, -0.0]
        let date = Date(timeIntervalSinceReferenceDate: 721_692_800.123456789)
        try await partition.set(values, for: "floats")
        try await partition.set([Double.nan], for: "nan")
        try await partition.set(date, for: "date")
        try await partition.set(Int64.max, for: "big")
        try await partition.set("a/b \u{1F4D6} \"\\\u{0}", for: "text")
        let second = try await restarted()
        #expect(await second.value([Double].self, for: "floats")?.map(\.bitPattern) == values.map(\.bitPattern))
        #expect(await second.value([Double].self, for: "nan")?.first?.isNaN == true)
        #expect(await second.value(Date.self, for: "date") == date)
        #expect(await second.value(Int64.self, for: "big") == .max)
        #expect(await second.value(String.self, for: "text") == "a/b \u{1F4D6} \"\\\u{0}")
    }

    @Test("a value of any length comes back whole", arguments: [0, 262_140, 262_142, 262_143, 3_000_001])
    func long(length: Int) async throws {
        let text = String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
        try await partition.set(text, for: "long")
        try await partition.set("short", for: "short")
        let second = try await restarted()
        #expect(await second.value(String.self, for: "long") == text)
        try await second.set("now short", for: "long")
        #expect(await second.value(String.self, for: "long") == "now short")
        try await second.flush()
        #expect(await second.value(String.self, for: "short") == "short")
    }

    @Test("a value's payload is its JSON as it is kept, whatever became of the value's time to live")
    func payload() async throws {
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", timeToLive: .seconds(1))
        let payload = try #require(await partition.payload(Bookmark.self, for: "b-7"))
        #expect(try JSONDecoder().decode(Bookmark.self, from: payload) == Bookmark(id: "b-7"))
        try await partition.remove(Bookmark.self, for: "b-7")
        #expect(await partition.payload(Bookmark.self, for: "b-7") == nil)

        let long = String(repeating: "x", count: 600_000)
        try await partition.set(long, for: "long")
        try await partition.set(Bookmark(id: "b-7"), for: "b-7", timeToLive: .seconds(1))
        let second = try await restarted()
        folder.clock.advance(by: .seconds(2))
        #expect(try #require(await second.payload(Bookmark.self, for: "b-7")).count == payload.count)
        #expect(await second.payload(String.self, for: "long")?.count == 600_002)
        #expect(await second.payload(String.self, for: "b-7") == nil)
        try await folder.cache.close()
        #expect(await partition.payload(Bookmark.self, for: "b-7") == nil)
    }

    @Test("what was replaced or removed a moment before is never seen again")
    func order() async throws {
        for number in 0..<200 {
            try await partition.set(number, for: "n")
            #expect(await partition.value(Int.self, for: "n") == number)
            if number % 3 == 0 {
                try await partition.remove(Int.self, for: "n")
                #expect(await partition.value(Int.self, for: "n") == nil)
            }
        }
        try await partition.flush()
        let second = try await restarted()
        #expect(await second.value(Int.self, for: "n") == 199)
    }

    @Test("tags bring values together, and let them go together")
    func tags() async throws {
        for number in 0..<6 {
            try await partition.set(
                Bookmark(id: "b-\(number)"),
                for: "b-\(number)",
                tags: number < 3 ? ["orbit", "all"] : ["all"]
            )
        }
        try await partition.set("no bookmark", for: "text", tags: ["all"])
        #expect(await partition.entries(Bookmark.self, tagged: "orbit").map(\.value.id) == ["b-0", "b-1", "b-2"])
        #expect(await partition.entries(Bookmark.self, tagged: "all").count == 6)
        #expect(await partition.entries(Bookmark.self).count == 6)

        try await partition.set(Bookmark(id: "b-0"), for: "b-0", tags: ["all"])
        #expect(await partition.entries(Bookmark.self, tagged: "orbit").count == 2)

        try await partition.removeAll(tagged: "orbit")
        #expect(await partition.entries(Bookmark.self).map(\.value.id).sorted() == ["b-0", "b-3", "b-4", "b-5"])
        #expect(await partition.value(Bookmark.self, for: "b-1") == nil)
        #expect(await partition.value(String.self, for: "text") == "no bookmark")

        try await partition.removeAll()
        #expect(await partition.entries(Bookmark.self).isEmpty)
        #expect(await partition.value(String.self, for: "text") == nil)
    }

    @Test("many values are kept in one transaction, all or none")
    func many() async throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("n-\($0)", $0) })
        try await partition.set(values)
        let second = try await restarted()
        for number in [0, 2_500, 4_999] { #expect(await second.value(Int.self, for: "n-\(number)") == number) }
        #expect(await second.entries(Int.self).count == 5_000)
    }

    @Test("a value that does not encode is an error that says where, and changes nothing")
    func unencodable() async throws {
        struct Broken: Codable, Sendable {
            var isBroken = false
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                if isBroken {
                    throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "secret"))
                }
                try container.encode(true)
            }
            init(isBroken: Bool) { self.isBroken = isBroken }
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Bool.self) }
        }
        try await partition.set(Broken(isBroken: false), for: "x")
        let error = await #expect(throws: CacheError.self) { try await partition.set(Broken(isBroken: true), for: "x") }
        guard case .unencodable(let model, let reason) = error else {
            Testing.Issue.record("got \(String(describing: error))")
            return
        }
        #expect(model == "Broken")
        #expect(!reason.contains("secret"))
        #expect(await partition.value(Broken.self, for: "x") != nil)
    }

    @Test("two spellings of one letter are two keys, in memory as on disk")
    func spelling() async throws {
        try await partition.set(1, for: "\u{E9}")
        try await partition.set(2, for: "e\u{301}")
        #expect(await partition.value(Int.self, for: "\u{E9}") == 1)
        try await partition.remove(Int.self, for: "\u{E9}")
        let second = try await restarted()
        #expect(await second.value(Int.self, for: "\u{E9}") == nil)
        #expect(await second.value(Int.self, for: "e\u{301}") == 2)
    }

    @Test("a value that would push everything else out is refused")
    func tooLarge() async throws {
        let folder = try CacheFolder { $0.diskLimit = 40_000 }
        let partition = try folder.partition()
        try await partition.set("small", for: "small")
        await #expect(throws: CacheError.tooLarge(limit: 10_000)) {
            try await partition.set(String(repeating: "x", count: 20_000), for: "large")
        }
        try await partition.flush()
        #expect(await partition.value(String.self, for: "small") == "small")
    }

    @Test("what is used stays when room is made, and what is not goes")
    func leastRecentlyUsed() async throws {
        let folder = try CacheFolder {
            $0.diskLimit = 200_000
            $0.memoryLimit = 0
        }
        let partition = try folder.partition()
        for number in 0..<100 {
            try await partition.set(String(repeating: "x", count: 5_000), for: "n-\(number)")
            try await partition.flush()
            if number >= 1 { #expect(await partition.value(String.self, for: "n-0") != nil, "gone after \(number)") }
        }
        #expect(await partition.value(String.self, for: "n-1") == nil)
        #expect(await partition.value(String.self, for: "n-99") != nil)
    }

    @Test("what memory serves counts as used as well, from when that matters")
    func usedInMemory() async throws {
        let folder = try CacheFolder { $0.diskLimit = 400_000 }
        let partition = try folder.partition()
        await partition.settle()
        try await partition.set("hot", for: "hot")
        try await partition.flush()
        // From the disk: that the file has room is known from then on, and what is used is passed over.
        #expect(await partition.payload(String.self, for: "hot") != nil)
        try await partition.flush()
        for number in 0..<60 {
            #expect(await partition.entry(String.self, for: "hot")?.origin == .memory)
            try await partition.set(String(repeating: "x", count: 5_000), for: "n-\(number)")
            try await partition.flush()
        }
        // As much again as has room in all, less what was there when it began to matter.
        let more = (0..<25).map { ("m-\($0)", String(repeating: "x", count: 5_000)) }
        try await partition.set(Dictionary(uniqueKeysWithValues: more))
        #expect(await partition.payload(String.self, for: "n-0") == nil)
        #expect(await partition.payload(String.self, for: "hot") != nil)
    }

    @Test("everything can be removed while it is used, and is used again")
    func removeAllInUse() async throws {
        let cache = folder.cache
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<40 {
                        let partition = cache.partition(for: CacheFolder.configuration)
                        try? await partition?.set(number, for: "n-\(task)")
                        _ = await partition?.value(Int.self, for: "n-\(task)")
                        if task == 0, number % 10 == 0 { try? await cache.removeAll() }
                    }
                }
            }
        }
        let partition = try folder.partition()
        try await partition.set(7, for: "last")
        try await partition.flush()
        try await cache.close()
        #expect(await (try folder.restarted().partition()).value(Int.self, for: "last") == 7)
    }
}
