import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// A discard comes before a write is taken up, or too late.
@Suite("Discarding a write", .timeLimit(.minutes(1)))
struct OutboxDiscardTests {
    @Test("in the moment in which it is taken up, either keeps it from being sent or fails")
    func race() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open { $0.lanesAtOnce = 8 }
        var kept: Set<String> = []
        var gone: Set<String> = []
        for round in 0..<12 {
            // Each lane has several, so that some are taken up while others are discarded.
            let writes = (0..<40).map { (text: "\(round)-\($0)", lane: "\($0 % 4)") }
            let items = writes.map { OutboxWrite.text($0.text, in: $0.lane) }
            try await outbox.enqueue(items).get()
            let before = bench.server.requests.count
            async let drain = outbox.drain()
            await until { bench.server.requests.count > before }
            let isGone = await withTaskGroup(of: (Int, Bool).self) { group in
                for place in items.indices {
                    group.addTask { [id = items[place].id] in (place, await outbox.discard(id).failure == nil) }
                }
                return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
            }
            #expect(await drain.failure == nil)
            for place in writes.indices {
                if isGone[place] == true { gone.insert(writes[place].text) } else { kept.insert(writes[place].text) }
            }
        }
        let sent = bench.sent
        #expect(gone.isDisjoint(with: sent), "what was discarded was not sent: \(gone.intersection(sent))")
        #expect(Set(sent) == kept && sent.count == kept.count, "and all else was, once")
        #expect(try await outbox.items().get().isEmpty)
    }

    @Test("that another outbox of the same file is sending comes too late")
    func byAnother() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { _ in
            _ = try? await gate.reach(1)
            return .answer(200)
        }
        let (one, other) = (try await bench.open(), try await bench.open())
        let (first, second) = (OutboxWrite.text("1"), OutboxWrite.text("2"))
        try await one.enqueue([first, second]).get()
        let drain = Task { await one.drain() }
        await until { bench.sent.count == 1 }
        #expect(await other.discard(first.id).failure?.label == "invalidRequest")
        #expect(await other.discard(second.id).failure == nil)
        gate.change(by: 1)
        #expect(await drain.value.sent == 1)
        #expect(bench.sent == ["1"])
    }

    @Test("that was under way in vain, or when a process ended, is possible again")
    func afterwards() async throws {
        let bench = try OutboxBench { _ in .answer(503, ["Retry-After": "3600"]) }
        let outbox = try await bench.open()
        let (first, second) = (OutboxWrite.text("1"), OutboxWrite.text("2", in: "b"))
        try await outbox.enqueue([first, second]).get()
        #expect(await outbox.drain().left == 2)
        #expect(await outbox.discard(first.id).failure == nil)
        await outbox.close()
        let database = Database(path: try bench.file())
        try await database.write { connection throws(DatabaseError) in try connection.run("UPDATE item SET taken = 1") }
        await database.close()

        let again = try await bench.open()
        #expect(await again.discard(second.id).failure == nil)
        #expect(try await again.items().get().isEmpty)
    }
}
