import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("An outbox", .timeLimit(.minutes(5)))
struct OutboxTests {
    @Test("keeps a request whole, and sends it with what the repository adds")
    func sends() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        let write = OutboxWrite(
            "tag",
            in: "tags",
            .put("tags/\("a/b")", query: ["x": ["1", "ä"]], headers: ["If-Match": "\"7\""], body: .json(["t": 1]))
        )
        try await outbox.enqueue(write).get()
        #expect(bench.server.requests.isEmpty, "nothing is sent by itself")
        #expect(try await outbox.items().get().map(\.kind) == ["tag"])

        let drain = await outbox.drain()

        #expect(drain.sent == 1 && drain.isEmpty && drain.failure == nil)
        let request = try #require(bench.server.requests.first)
        #expect(request.method == .put)
        #expect(request.target == "/v2/tags/a%2Fb?x%5B%5D=1&x%5B%5D=%C3%A4")
        #expect(request.headers["If-Match"] == "\"7\"" && request.headers["X-App"] == "reader")
        #expect(request.headers["Content-Type"] == "application/json" && request.text == #"{"t":1}"#)
        #expect(request.headers["Idempotency-Key"] == write.id.rawValue)
        #expect(await outbox.drain().sent == 0 && bench.server.requests.count == 1)
    }

    @Test("takes the app's own key, and a write only once")
    func keys() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        let write = OutboxWrite("k", in: "a", .post("a", headers: ["idempotency-key": "mine"]))
        try await outbox.enqueue(write).get()
        try await outbox.enqueue([write, .text("b")]).get()
        #expect(await outbox.drain().sent == 2)
        #expect(bench.server.requests.first?.headers.values(of: "Idempotency-Key") == ["mine"])
    }

    @Test("keeps no secret, and nothing that cannot be sent")
    func refuses() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        let requests: [Request<Void>] = [
            .post("a", headers: ["authorization": "Bearer s3cret"]), .post("a", headers: ["X-Api-Key": "s3cret"]),
            .post("a", body: .file("/etc/hostname", contentType: "text/plain")), .post("a/../b"),
            .post("a", headers: ["X": "a\r\nb"]), .post("a", body: .json(Double.nan)),
            .post("a", body: .data(Data(count: 17 << 20), contentType: nil)),
        ]
        for request in requests {
            #expect(await outbox.enqueue([.text("x"), OutboxWrite("k", in: "a", request)]).failure != nil)
        }
        let bad = OutboxWrite.text("x").showing(Double.infinity, for: "v")
        #expect(await outbox.enqueue(bad).failure?.label == "invalidRequest")
        let first = OutboxWrite.text("1")
        let before = OutboxWrite.text("0", after: [first.id])
        #expect(await outbox.enqueue([before, first]).failure?.label == "invalidRequest")
        #expect(try await outbox.items().get().isEmpty, "all or none")
    }

    @Test("sends a lane in order, one at a time, and several lanes side by side")
    func order() async throws {
        let gate = Milestones()
        let underWay = Lock<[String: Int]>([:])
        let bench = try OutboxBench { request in
            let lane = String(request.text.prefix(1))
            let isAlone = underWay.withLock { underWay in
                underWay[lane, default: 0] += 1
                return underWay[lane] == 1
            }
            #expect(isAlone)
            if request.text.hasSuffix("0") { _ = try? await gate.reach(1) }
            underWay.withLock { $0[lane, default: 0] -= 1 }
            return .answer(200)
        }
        let outbox = try await bench.open()
        for number in 0..<5 {
            for lane in ["a", "b", "c"] { await outbox.enqueue(.text("\(lane)\(number)", in: lane)) }
        }
        let drain = Task { await outbox.drain() }
        await until { bench.sent.count == 3 }
        #expect(Set(bench.sent) == ["a0", "b0", "c0"])
        #expect(try await outbox.standing().filter { $0 == .sending }.count == 3)
        gate.change(by: 1)
        #expect(await drain.value.sent == 15)
        for lane in ["a", "b", "c"] {
            #expect(bench.sent.filter { $0.hasPrefix(lane) } == (0..<5).map { "\(lane)\($0)" })
        }
    }

    @Test("has no more lanes under way than it may", arguments: [1, 3])
    func limit(lanes: Int) async throws {
        let gauge = Gauge()
        let bench = try OutboxBench { _ in
            gauge.enter()
            defer { gauge.leave() }
            for _ in 0..<10 { await Task.yield() }
            return .answer(200)
        }
        let outbox = try await bench.open { $0.lanesAtOnce = lanes }
        try await outbox.enqueue((0..<20).map { .text("\($0)", in: "\($0)") }).get()
        #expect(await outbox.drain().sent == 20)
        #expect(gauge.most <= lanes)
    }

    @Test("what depends on another waits for it, whatever the lanes")
    func dependencies() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        let a = OutboxWrite.text("a", in: "z")
        let b = OutboxWrite.text("b", in: "b", after: [a.id])
        let c = OutboxWrite.text("c", in: "a", after: [a.id, b.id])
        let d = OutboxWrite.text("d", in: "a")
        try await outbox.enqueue([a, b, c, d]).get()
        #expect(await outbox.drain().sent == 4)
        #expect(bench.sent == ["a", "b", "c", "d"], "and so does what is behind it in its lane")
        try await outbox.enqueue(.text("e", after: [a.id, OutboxItem.ID()])).get()
        #expect(await outbox.drain().sent == 1, "what is not there any more is done")
    }

    @Test("goes on where it was, in another life, with the same keys")
    func restarts() async throws {
        let bench = try OutboxBench { request async throws(RepositoryError) in
            if request.text == "2" { throw .noNetworkConnection }
            return .answer(200)
        }
        let first = try await bench.open { $0.retry.maximumAttempts = 1 }
        let writes = (1...3).map { OutboxWrite.text("\($0)") }
        try await first.enqueue(writes).get()
        let drain = await first.drain()
        #expect(drain.sent == 1 && drain.left == 2 && drain.failure?.label == "noNetworkConnection")
        await first.close()
        #expect(await first.enqueue(.text("4")).failure?.label == "fileAccess")
        #expect(await first.drain().failure?.label == "fileAccess")

        let second = try await bench.open { $0.retry.maximumAttempts = 1 }
        #expect(try await second.items().get().map(\.id) == writes.dropFirst().map(\.id))
        #expect(try await second.items().get().map(\.attempts) == [1, 0])
        #expect(try await second.items().get().first?.failure?.label == "noNetworkConnection")
        await second.drain()
        let keys = bench.server.requests.filter { $0.text == "2" }.map { $0.headers["Idempotency-Key"] }
        #expect(keys == [writes[1].id.rawValue, writes[1].id.rawValue])
    }

    @Test("tells what is in it, each time it changes, and ends when it is closed")
    func states() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { request in
            if request.text == "1" { _ = try? await gate.reach(1) }
            return request.text == "2" ? .answer(422) : .answer(200)
        }
        let outbox = try await bench.open()
        let seen = Lock<[[Int]]>([])
        let watching = Task {
            for try await state in outbox.states {
                seen.withLock { $0.append([state.pending, state.sending, state.parked, state.items.count]) }
            }
        }
        await until { seen.withLock { $0.last == [0, 0, 0, 0] } }
        try await outbox.enqueue([.text("1"), .text("2")]).get()
        await until { seen.withLock { $0.last == [2, 0, 0, 2] } }
        let drain = Task { await outbox.drain() }
        await until { seen.withLock { $0.last == [1, 1, 0, 2] } }
        gate.change(by: 1)
        #expect(await drain.value.parked == 1)
        await until { seen.withLock { $0.last == [0, 0, 1, 1] } }
        await outbox.close()
        try await watching.value
    }

    @Test("a drain is joined, also by what was enqueued meanwhile, and ended by the last who waits")
    func joins() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { request async throws(RepositoryError) in
            do throws(CancellationError) { _ = try await gate.reach(1) } catch { throw .cancelled }
            return .answer(200)
        }
        let outbox = try await bench.open()
        await outbox.enqueue(.text("1"))
        let first = Task { await outbox.drain() }
        await until { bench.sent.count == 1 }
        await outbox.enqueue(.text("2", in: "b"))
        let second = Task { await outbox.drain() }
        for _ in 0..<100 { await Task.yield() }
        first.cancel()
        gate.change(by: 1)
        #expect(await second.value.sent == 2)

        let closed = Milestones()
        let other = try OutboxBench { _ async throws(RepositoryError) in
            do throws(CancellationError) { _ = try await closed.reach(1) } catch { throw .cancelled }
            return .answer(200)
        }
        let lonely = try await other.open()
        await lonely.enqueue(.text("1"))
        let alone = Task { await lonely.drain() }
        await until { other.sent.count == 1 }
        alone.cancel()
        let drain = await alone.value
        #expect(drain.failure?.label == "cancelled" && drain.left == 1)
        #expect(try await lonely.standing() == [.pending])
    }

    @Test("two of them do not send at the same time; what either enqueues is sent")
    func twoOfThem() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { _ in
            _ = try? await gate.reach(1)
            return .answer(200)
        }
        let (one, other) = (try await bench.open(), try await bench.open())
        try await one.enqueue(.text("1")).get()
        try await other.enqueue(.text("2")).get()
        let drain = Task { await one.drain() }
        await until { bench.sent.count == 1 }
        let refused = await other.drain()
        #expect(refused.failure?.label == "fileAccess" && refused.left == 2)
        gate.change(by: 1)
        #expect(await drain.value.sent == 2)
        #expect(await other.drain().failure == nil)
    }

    @Test("erased, it leaves nothing")
    func erases() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        try await outbox.enqueue(.text("secret")).get()
        try await outbox.erase().get()
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.place)
        #expect(left.filter { !$0.hasSuffix(".lock") }.isEmpty)
        #expect(try await bench.open().items().get().isEmpty)
    }

    @Test("a folder that others may write to is refused")
    func folder() async throws {
        let bench = try OutboxBench()
        try FileManager.default.createDirectory(
            atPath: bench.place,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o777]
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: bench.place)
        await #expect(throws: RepositoryError.self) { try await bench.open() }
    }

    @Test("two thousand writes are sent in a moment")
    func many() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open { $0.lanesAtOnce = 16 }
        try await outbox.enqueue((0..<2000).map { .text("\($0)", in: "\($0 % 50)") }).get()
        let drain = await outbox.drain()
        #expect(drain.sent == 2000 && drain.isEmpty)
        #expect(Set(bench.sent).count == 2000)
    }
}
