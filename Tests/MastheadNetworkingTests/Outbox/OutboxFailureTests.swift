import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("What an outbox does about failures", .timeLimit(.minutes(1)))
struct OutboxFailureTests {
    /// Answers by the text of the body: the number of a status, once for each time it stands there; then 200.
    private static func bench() throws -> OutboxBench {
        let asked = Lock<[String: Int]>([:])
        return try OutboxBench { request in
            let statuses = request.text.split(separator: " ").compactMap { Int($0) }
            let turn = asked.withLock { asked in
                defer { asked[request.text, default: 0] += 1 }
                return asked[request.text, default: 0]
            }
            return turn < statuses.count ? .answer(statuses[turn], body: "no \(statuses[turn])") : .answer(200)
        }
    }

    @Test(
        "parks what would be refused again, with the refusal",
        arguments: [400, 401, 403, 404, 409, 410, 413, 422, 301, 501]
    )
    func parks(status: Int) async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open()
        try await outbox.enqueue([.text("\(status)"), .text("behind"), .text("beside", in: "b")]).get()
        let drain = await outbox.drain()
        #expect(drain.sent == 1 && drain.parked == 1 && drain.left == 2 && drain.failure == nil)
        #expect(Set(bench.sent) == ["\(status)", "beside"], "it holds its own lane, and no other")
        let item = try #require(try await outbox.items().get().first)
        #expect(item.state == .parked && item.isParked && item.attempts == 1)
        #expect(item.failure?.status == status && item.failure?.label == "requestError")
        #expect(item.failure?.body == Data("no \(status)".utf8))
        #expect(await outbox.drain().sent == 0, "it is not sent again by itself")

        try await outbox.retry(item.id).get()
        #expect(await outbox.drain().sent == 2)
        #expect(bench.sent.filter { $0 != "beside" } == ["\(status)", "\(status)", "behind"])
        let keys = bench.server.requests.filter { $0.text == "\(status)" }.map { $0.headers["Idempotency-Key"] }
        #expect(keys == [item.id.rawValue, item.id.rawValue])
    }

    @Test("a parked write can be discarded, and is over then; its lane goes on")
    func discards() async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open()
        let poison = OutboxWrite.text("422")
        try await outbox.enqueue([poison, .text("behind")]).get()
        await outbox.drain()
        try await outbox.discard(poison.id).get()
        #expect(await outbox.drain().isEmpty)
        #expect(bench.sent == ["422", "behind"])
        #expect(await outbox.discard(poison.id).failure?.label == "invalidRequest")
        #expect(await outbox.retry(poison.id).failure?.label == "invalidRequest")
    }

    @Test("a lane goes on without a parked write if it may")
    func passesOver() async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open { $0.holdsLaneOfParked = false }
        try await outbox.enqueue([.text("422"), .text("x"), .text("404"), .text("y")]).get()
        let drain = await outbox.drain()
        #expect(drain.sent == 2 && drain.parked == 2 && drain.left == 2)
        #expect(bench.sent == ["422", "x", "404", "y"])
    }

    @Test(
        "tries again what may pass, with the same key, after longer and longer waits",
        arguments: [408, 425, 429, 500, 503]
    )
    func triesAgain(status: Int) async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open()
        let text = "\(status) \(status) \(status)"
        try await outbox.enqueue([.text(text), .text("behind")]).get()
        let (drain, waits) = try await bench.turning { await outbox.drain() }
        #expect(drain.sent == 2 && drain.isEmpty)
        #expect(bench.sent == [text, text, text, text, "behind"])
        #expect(Set(bench.server.requests.dropLast().map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(waits.map { $0.roundedToMilliseconds } == [1000, 2000, 4000])
    }

    @Test("gives up for this time after as many attempts as it may make, and says of what; nothing is parked")
    func givesUp() async throws {
        let bench = try OutboxBench { $0.text == "1" ? .answer(503) : .answer(200) }
        let outbox = try await bench.open { $0.retry.maximumAttempts = 3 }
        try await outbox.enqueue([.text("1"), .text("2", in: "b")]).get()
        let (drain, _) = try await bench.turning { await outbox.drain() }
        #expect(drain.sent == 1 && drain.left == 1 && drain.failure?.label == "requestError")
        let item = try #require(try await outbox.items().get().first)
        #expect(item.state == .pending && item.attempts == 3 && item.failure?.status == 503)
        #expect(bench.sent.filter { $0 == "1" }.count == 3)
    }

    @Test("waits as long as the server asks, for any refusal", arguments: [429, 503, 409])
    func retryAfter(status: Int) async throws {
        let asked = Lock(0)
        let bench = try OutboxBench { _ in
            asked.withLock { asked in
                asked += 1
                return asked == 1 ? .answer(status, ["Retry-After": "120"]) : .answer(200)
            }
        }
        let outbox = try await bench.open()
        await outbox.enqueue(.text("1"))
        let (drain, waits) = try await bench.turning { await outbox.drain() }
        #expect(drain.sent == 1 && waits == [.seconds(120)])
    }

    @Test("leaves alone, across restarts, what the server wants to see much later")
    func longRetryAfter() async throws {
        let bench = try OutboxBench { [asked = Lock(0)] _ in
            asked.withLock { asked in
                asked += 1
                return asked == 1 ? .answer(503, ["Retry-After": "3600"]) : .answer(200)
            }
        }
        let outbox = try await bench.open()
        await outbox.enqueue(.text("1"))
        #expect(await outbox.drain().failure?.label == "requestError")
        await outbox.close()
        let other = try await bench.open()
        #expect(await other.drain().left == 1 && bench.sent.count == 1)
        bench.clock.advance(by: .seconds(3500))
        let (drain, waits) = try await bench.turning { await other.drain() }
        #expect(drain.sent == 1 && waits.map { $0.roundedToMilliseconds } == [100_000])
    }

    @Test("without a network it does not ask for every lane, and goes on at once when there is one")
    func network() async throws {
        let isThere = Lock(false)
        let bench = try OutboxBench { _ async throws(RepositoryError) in
            guard isThere.withLock({ $0 }) else { throw .noNetworkConnection }
            return .answer(200)
        }
        let outbox = try await bench.open { $0.lanesAtOnce = 1 }
        try await outbox.enqueue((0..<5).map { .text("\($0)", in: "\($0)") }).get()
        let (drain, _) = try await bench.turning { await outbox.drain() }
        #expect(drain.failure?.label == "noNetworkConnection" && drain.left == 5)
        #expect(bench.sent == Array(repeating: "0", count: 5))

        let waiting = Task { await outbox.drain() }
        try await bench.clock.sleepers(count: 1)
        isThere.withLock { $0 = true }
        await outbox.networkBecameAvailable()
        #expect(await waiting.value.sent == 5, "the wait is cut short")
        #expect(bench.clock.now.roundedToMilliseconds == 15_000)
    }

    @Test("a network that is back starts a drain by itself")
    func background() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        await outbox.enqueue(.text("1"))
        await outbox.networkBecameAvailable()
        for try await state in outbox.states where state.items.isEmpty { break }
        #expect(bench.sent == ["1"])
    }

    @Test("what depends on a parked write is parked with it, and goes on with it")
    func dependents() async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open()
        let a = OutboxWrite.text("422")
        let b = OutboxWrite.text("b", in: "b", after: [a.id])
        let c = OutboxWrite.text("c", in: "c", after: [b.id])
        try await outbox.enqueue([a, b, c]).get()
        let drain = await outbox.drain()
        #expect(drain.parked == 1 && drain.left == 3)
        #expect(try await outbox.standing() == [.parked, .parkedWithDependency, .parkedWithDependency])
        let d = OutboxWrite.text("d", in: "d", after: [c.id])
        try await outbox.enqueue(d).get()
        #expect(try await outbox.standing().last == .parkedWithDependency)
        #expect(await outbox.retry(b.id).failure?.label == "invalidRequest")

        try await outbox.retry(a.id).get()
        #expect(try await outbox.standing() == Array(repeating: .pending, count: 4))
        #expect(await outbox.drain().sent == 4)
        #expect(bench.sent == ["422", "422", "b", "c", "d"])
    }

    @Test("what depends on a discarded write is parked for the app to decide")
    func discardedDependency() async throws {
        let bench = try Self.bench()
        let outbox = try await bench.open()
        let a = OutboxWrite.text("a")
        let b = OutboxWrite.text("b", in: "b", after: [a.id])
        let c = OutboxWrite.text("c", in: "c", after: [b.id])
        try await outbox.enqueue([a, b, c]).get()
        try await outbox.discard(a.id).get()
        let items = try await outbox.items().get()
        #expect(items.map(\.state) == [.parked, .parkedWithDependency])
        #expect(items.first?.failure == .discardedDependency)
        #expect(await outbox.drain().sent == 0)
        try await outbox.retry(b.id).get()
        #expect(await outbox.drain().sent == 2 && bench.sent == ["b", "c"])
    }

    @Test("what is under way is not discarded")
    func discardsUnderWay() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { _ in
            _ = try? await gate.reach(1)
            return .answer(200)
        }
        let outbox = try await bench.open()
        let write = OutboxWrite.text("1")
        await outbox.enqueue(write)
        let drain = Task { await outbox.drain() }
        await until { bench.sent.count == 1 }
        #expect(await outbox.discard(write.id).failure?.label == "invalidRequest")
        gate.change(by: 1)
        #expect(await drain.value.sent == 1)
    }
}

extension Duration {
    fileprivate var roundedToMilliseconds: Int64 {
        (components.seconds * 1000) + (components.attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    }
}
