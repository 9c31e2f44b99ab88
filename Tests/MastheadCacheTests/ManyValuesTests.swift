import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

@Suite("Many values kept at once", .timeLimit(.minutes(1)))
struct ManyValuesTests {
    private let folder: CacheFolder
    private let partition: CachePartition

    init() async throws {
        folder = try CacheFolder()
        partition = try folder.partition()
    }

    /// A number that does something before it becomes bytes.
    private struct Item: Codable, Sendable {
        let number: Int
        var text = ""
        var whenEncoded: (@Sendable () throws -> Void)?

        private enum CodingKeys: CodingKey {
            case number, text
        }

        init(number: Int, text: String = "", whenEncoded: (@Sendable () throws -> Void)? = nil) {
            (self.number, self.text, self.whenEncoded) = (number, text, whenEncoded)
        }

        func encode(to encoder: any Encoder) throws {
            try whenEncoded?()
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encode(text, forKey: .text)
        }
    }

    private struct Refusal: Error {}

    /// Encodes one member after it has gone on with another.
    private struct Unordered: Codable, Equatable {
        let number: Int
        let inner: [String: Int]

        private enum CodingKeys: CodingKey {
            case number, inner
        }

        init(number: Int) { (self.number, inner) = (number, ["n": number]) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let later = container.superEncoder(forKey: .inner)
            try container.encode(number, forKey: .number)
            try inner.encode(to: later)
        }
    }

    private func items(_ count: Int, _ change: (Int) -> Item? = { _ in nil }) -> [String: Item] {
        let pairs = (0..<count).map { (Self.key($0), change($0) ?? Item(number: $0, text: "text \($0)")) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func key(_ number: Int) -> String { "item-\(String(100_000 + number))" }

    @Test("each is found under its key, with its tags and its own number, whatever was there before")
    func keeps() async throws {
        try await partition.set(Item(number: -1), for: Self.key(7), tags: ["old"])
        try await partition.set(items(3_000), timeToLive: .seconds(60), tags: ["all"])
        #expect(await partition.entries(Item.self, tagged: "all").count == 3_000)
        #expect(await partition.entries(Item.self, tagged: "old").isEmpty)
        #expect(await partition.value(Item.self, for: Self.key(7))?.number == 7)
        try await folder.cache.close()

        let file = try #require(folder.files.first { $0.hasSuffix(".cache") })
        let database = Database(path: "\(folder.path)/cache/\(file)")
        try await database.read { (connection) throws(DatabaseError) in
            #expect(try connection.value("SELECT count(DISTINCT revision) FROM entry WHERE revision > 0") == 3_000)
            #expect(try connection.value("SELECT count(*) FROM entry JOIN body ON body.id >> 20 = entry.id") == 3_000)
            let total = "SELECT bytes - (SELECT sum(size + length(head) + length(key) + 256) FROM entry) FROM total"
            #expect(try connection.value(.dynamic(total)) == 0)
        }
        await database.close()
        let second = try folder.restarted().partition()
        for number in [0, 1_500, 2_999] {
            let value = await second.value(Item.self, for: Self.key(number))
            #expect(value?.text == "text \(number)")
        }
        folder.clock.advance(by: .seconds(61))
        #expect(await second.entry(Item.self, for: Self.key(0))?.freshness == .stale)
    }

    @Test("long ones come back whole among short ones, and encrypted ones too", arguments: [false, true])
    func lengths(isEncrypted: Bool) async throws {
        let folder = try CacheFolder { $0.isEncrypted = isEncrypted }
        let session = TestSession()
        session.begin("ada")
        let partition = try folder.partition(isEncrypted ? session : nil)
        let values = Dictionary(
            uniqueKeysWithValues: (0..<60).map { number in
                ("n-\(number)", String(repeating: "x", count: number % 20 == 7 ? 700_000 : number * 50))
            }
        )
        try await partition.set(values)
        for (key, value) in values { #expect(await partition.value(String.self, for: key) == value) }
        #expect(await partition.entries(String.self).count == values.count)
    }

    @Test("those that encode themselves in no order are kept as well, among others and alone")
    func unordered() async throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<100).map { (Self.key($0), Unordered(number: $0)) })
        try await partition.set(values)
        try await partition.set(Unordered(number: 7), for: "alone")
        try await folder.cache.close()
        let second = try folder.restarted().partition()
        for (key, value) in values { #expect(await second.value(Unordered.self, for: key) == value) }
        #expect(await second.value(Unordered.self, for: "alone") == Unordered(number: 7))
    }

    @Test("one that does not encode, wherever it stands, leaves nothing of the others", arguments: [0, 3_000, 5_999])
    func unencodable(place: Int) async throws {
        try await partition.set(Item(number: -1), for: Self.key(1))
        try await partition.flush()
        let values = items(6_000) { number in
            guard number == place else { return nil }
            return Item(number: number) {
                throw Refusal()
            }
        }
        let error = await #expect(throws: CacheError.self) { try await partition.set(values) }
        guard case .unencodable("Item", _) = error else {
            Testing.Issue.record("got \(String(describing: error))")
            return
        }
        #expect(await partition.entries(Item.self).map(\.value.number) == [-1])
        #expect(await partition.value(Item.self, for: Self.key(1))?.number == -1)
        // The next is none the worse for it.
        try await partition.set(items(10))
        #expect(await partition.entries(Item.self).count == 10)
    }

    @Test("a task that is cancelled in the middle leaves nothing of it")
    func cancelled() async throws {
        let (begun, news) = AsyncStream.makeStream(of: Void.self)
        let goesOn = Latch<Void>()
        let values = items(6_000) { number in
            guard number == 3_000 else { return nil }
            return Item(number: number) {
                news.yield()
                // On a thread of the cache's own.
                goesOn.wait()
            }
        }
        let task = Task { [partition] in try await partition.set(values) }
        for await _ in begun { break }
        task.cancel()
        goesOn.put(())
        await #expect(throws: CacheError.cancelled) { try await task.value }
        #expect(await partition.entries(Item.self).isEmpty)
        #expect(await partition.value(Item.self, for: Self.key(0)) == nil)
        try await partition.set(items(10))
        #expect(await partition.entries(Item.self).count == 10)
    }

    @Test("memory forgets what it had of them, and of nothing else")
    func memory() async throws {
        await partition.settle()
        for number in 0..<20 { try await partition.set(Item(number: -1), for: Self.key(number)) }
        try await partition.set(5, for: Self.key(3))
        try await partition.flush()
        #expect(await partition.entry(Item.self, for: Self.key(3))?.origin == .memory)
        // Fewer than memory has, and then more.
        for count in [10, 1_000] {
            try await partition.set(items(count))
            #expect(await partition.entry(Item.self, for: Self.key(3))?.value.number == 3)
            #expect(await partition.entry(Int.self, for: Self.key(3))?.origin == .memory)
        }
    }

    @Test("they are kept in the order of their keys, and observers hear of them")
    func order() async throws {
        var changes = partition.changes(Item.self, for: Self.key(3)).makeAsyncIterator()
        #expect(await changes.next()??.value.number == nil)
        // What is told once as the listening begins is told.
        await partition.settle()
        try await partition.set(items(300))
        #expect(await partition.entries(Item.self).map(\.value.number) == Array(0..<300))
        #expect(await changes.next()??.value.number == 3)
    }

    @Test("they make room like any other, and none may be too large")
    func limits() async throws {
        let folder = try CacheFolder { $0.diskLimit = 64 << 10 }
        let partition = try folder.partition()
        let values = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("n-\($0)", String(repeating: "x", count: 2_000)) }
        )
        try await partition.set(values)
        let count = await partition.entries(String.self).count
        #expect((10..<40).contains(count))
        await #expect(throws: CacheError.tooLarge(limit: 16 << 10)) {
            try await partition.set(["a": "", "b": String(repeating: "x", count: 20_000)])
        }
        #expect(await partition.entries(String.self).count == count)
    }

    @Test("none is kept once the session is over")
    func over() async throws {
        let session = TestSession()
        session.begin("ada")
        let partition = try folder.partition(session)
        try await folder.cache.remove(try #require(session.partition))
        await #expect(throws: CacheError.closed) { try await partition.set(items(3)) }
    }

    @Test("what another user has in memory stays there")
    func otherUsers() async throws {
        let session = TestSession()
        session.begin("ada")
        let hers = try folder.partition(session)
        await hers.settle()
        for number in 0..<20 { try await hers.set(Item(number: -1), for: Self.key(number)) }
        try await hers.flush()
        try await partition.set(items(100))
        #expect(await hers.entry(Item.self, for: Self.key(3))?.origin == .memory)
        #expect(await hers.entry(Item.self, for: Self.key(3))?.value.number == -1)
    }
}
