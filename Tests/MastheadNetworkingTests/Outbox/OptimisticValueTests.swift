import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("The value of a write", .timeLimit(.minutes(1)))
struct OptimisticValueTests {
    private let shown = ShownValues()

    private func write(_ text: String, in lane: String = "a", after: [OutboxItem.ID] = []) -> OutboxWrite {
        OutboxWrite.text(text, in: lane, after: after).showing(text, for: "key")
    }

    @Test("is shown at once, and settled with what the server answered")
    func commits() async throws {
        let bench = try OutboxBench { .answer(200, body: "ok \($0.text)") }
        let outbox = try await bench.open(showing: shown)
        try await outbox.enqueue(write("1")).get()
        #expect(await shown.shown == ["key": "1"])
        #expect(try await outbox.value(String.self, for: "key").get() == "1")
        try await outbox.enqueue(write("2")).get()
        #expect(await shown.shown == ["key": "2"])
        await outbox.drain()
        #expect(await shown.log == ["restore []", "apply 1", "apply 2", "commit 1 ok 1", "commit 2 ok 2"])
        #expect(await shown.shown == [:])
        #expect(try await outbox.value(String.self, for: "key").get() == nil)
    }

    @Test("is taken back when the write is parked, for the one that remains, and shown again when it is retried")
    func rollsBack() async throws {
        let bench = try OutboxBench { [isFirst = Lock(true)] request in
            guard request.text == "2" else { return .answer(503) }
            return isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .answer(422) : .answer(200)
            }
        }
        let outbox = try await bench.open(showing: shown) { $0.retry.maximumAttempts = 1 }
        let second = write("2", in: "b")
        try await outbox.enqueue([write("1"), second]).get()
        #expect(await shown.shown == ["key": "2"])
        await outbox.drain()
        #expect(await shown.shown == ["key": "1"])
        #expect(try await outbox.value(String.self, for: "key").get() == "1")
        try await outbox.retry(second.id).get()
        #expect(await shown.shown == ["key": "2"])
        await outbox.drain()
        #expect(await shown.shown == ["key": "1"], "committed")
    }

    @Test("is taken back when the write is discarded, and with the write it depends on")
    func discards() async throws {
        let bench = try OutboxBench { _ in .answer(422) }
        let outbox = try await bench.open(showing: shown)
        let first = OutboxWrite.text("1").showing("1", for: "a")
        let second = OutboxWrite.text("2", in: "b", after: [first.id]).showing("2", for: "b")
        let third = OutboxWrite.text("3", in: "a").showing("3", for: "c")
        try await outbox.enqueue([first, second, third]).get()
        #expect(await shown.shown == ["a": "1", "b": "2", "c": "3"])
        await outbox.drain()
        #expect(await shown.shown == ["c": "3"])
        try await outbox.discard(third.id).get()
        #expect(await shown.shown == [:])
        try await outbox.retry(first.id).get()
        #expect(await shown.shown == ["a": "1", "b": "2"])
        try await outbox.discard(first.id).get()
        #expect(await shown.shown == [:])
    }

    @Test("is shown again after a restart, the last of each key, and none that is parked")
    func restores() async throws {
        let bench = try OutboxBench { $0.text == "bad" ? .answer(422) : .answer(503) }
        let outbox = try await bench.open { $0.retry.maximumAttempts = 1 }
        let bad = OutboxWrite.text("bad", in: "b").showing("bad", for: "b")
        try await outbox.enqueue([write("1"), bad, write("2")]).get()
        await outbox.drain()
        await outbox.close()
        _ = try await bench.open(showing: shown)
        #expect(await shown.log == ["restore [\"2\"]"])
    }

    @Test("its store may use the outbox: enqueue, discard and drain")
    func reenters() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open(showing: shown)
        await shown.whenCommitted { value in
            guard value.key == "key" else { return }
            await outbox.enqueue(OutboxWrite.text("next", in: "n").showing("next", for: "other"))
            await outbox.drain()
        }
        try await outbox.enqueue(write("1")).get()
        #expect(await outbox.drain().sent == 2)
        #expect(bench.sent == ["1", "next"])
        #expect(await shown.shown == [:])
    }

    @Test("closures are a store too")
    func hooks() async throws {
        let log = Lock<[String]>([])
        let hooks = OptimisticHooks(
            onApply: { value in log.withLock { $0.append("apply \(value.key)") } },
            onCommit: { value, answer, _ in log.withLock { $0.append("commit \(value.kind) \(answer.status)") } },
            onRollback: { value, remaining in log.withLock { $0.append("back \(value.key) \(remaining == nil)") } }
        )
        let bench = try OutboxBench { $0.text == "2" ? .answer(400) : .answer(202) }
        let outbox = try await bench.open(showing: hooks)
        try await outbox.enqueue([write("1"), write("2")]).get()
        await outbox.drain()
        #expect(log.withLock { $0 } == ["apply key", "commit text 202", "back key true"])
    }
}
