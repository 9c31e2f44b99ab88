import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Many calls", .timeLimit(.minutes(5)))
struct CallsTests {
    /// A call that takes until it is let through, or cancelled.
    private struct Held: Sendable {
        let gauge = Gauge()
        let gate = Milestones()

        func call(_ number: Int) async -> Result<Int, RepositoryError> {
            gauge.enter()
            defer { gauge.leave() }
            do throws(CancellationError) {
                _ = try await gate.reach(1)
                return .success(number)
            } catch {
                return .failure(.cancelled)
            }
        }
    }

    @Test("all of them give their values in the order of the inputs")
    func all() async throws {
        let values = await Calls.all((1...50).reversed(), atOnce: 7) { number in
            for _ in 0..<(number % 5) { await Task.yield() }
            return .success(2 * number)
        }
        #expect(try values.get() == (1...50).reversed().map { 2 * $0 })
        #expect(try await Calls.all([Int]()) { .success($0) }.get().isEmpty)
    }

    @Test("no more are under way than may be, and at least one", arguments: [(4, 4), (1, 1), (0, 1), (100, 20)])
    func limit(limit: Int, expected: Int) async {
        let held = Held()
        let calls = Task { await Calls.settled(0..<20, atOnce: limit) { await held.call($0) } }
        await until { held.gauge.now == expected }
        held.gate.change(by: 1)
        #expect(await calls.value.count == 20)
        #expect(held.gauge.most == expected && held.gauge.now == 0)
    }

    @Test("the first failure cancels the rest, and nothing is left running")
    func firstFailure() async {
        let held = Held()
        let result = await Calls.all(0..<1000, atOnce: 4) { number -> Result<Int, RepositoryError> in
            guard number == 3 else { return await held.call(number) }
            await until { held.gauge.now == 3 }
            return .failure(.timeout(.idle))
        }
        #expect(result.failure?.label == "timeout.idle")
        #expect(held.gauge.now == 0 && held.gauge.all == 3)
    }

    @Test("settled, each has its result, in order")
    func settled() async {
        let results = await Calls.settled(0..<10) { $0.isMultiple(of: 3) ? .failure(.timeout(.idle)) : .success($0) }
        #expect(results.map { try? $0.get() } == [nil, 1, 2, nil, 4, 5, nil, 7, 8, nil])
        #expect(results.compactMap(\.failure?.label) == Array(repeating: "timeout.idle", count: 4))
    }

    @Test("the first success wins and cancels the rest; failures before it do not count")
    func first() async {
        let held = Held()
        let result = await Calls.first(0..<100, atOnce: 3) { number -> Result<Int, RepositoryError> in
            switch number {
            case 0, 3: return .failure(.dns(host: "a"))
            case 4:
                await until { held.gauge.now == 2 }
                return .success(4)
            default: return await held.call(number)
            }
        }
        #expect((try? result.get()) == 4)
        #expect(held.gauge.now == 0 && held.gauge.all == 2)
    }

    @Test("one at a time, the first success is the first that works")
    func fallback() async {
        let asked = Lock<[Int]>([])
        let result = await Calls.first(1...5, atOnce: 1) { number -> Result<Int, RepositoryError> in
            asked.withLock { $0.append(number) }
            return number < 3 ? .failure(.refused(host: "a")) : .success(number)
        }
        #expect((try? result.get()) == 3)
        #expect(asked.withLock { $0 } == [1, 2, 3])
    }

    @Test("without any success there are the errors, in order")
    func allFail() async {
        let result = await Calls.first(["a", "b"]) { host -> Result<Int, RepositoryError> in
            .failure(.dns(host: host))
        }
        #expect(result.failure?.errors.map(\.description) == ["no address for a", "no address for b"])
        #expect(result.failure?.description == "2 calls failed, the first: no address for a")
        let none = await Calls.first([Int]()) { Result<Int, RepositoryError>.success($0) }
        #expect(none.failure?.errors.isEmpty == true)
    }

    @Test("cancelling the task that waits cancels those under way, and makes no further one")
    func cancelled() async {
        let held = Held()
        let all = Task { await Calls.all(0..<1000, atOnce: 2) { await held.call($0) } }
        let settled = Task { await Calls.settled(0..<1000, atOnce: 2) { await held.call($0) } }
        let first = Task { await Calls.first(0..<1000, atOnce: 2) { await held.call($0) } }
        await until { held.gauge.now == 6 }
        all.cancel()
        settled.cancel()
        first.cancel()
        #expect(await all.value.failure?.label == "cancelled")
        let results = await settled.value
        #expect(results.count == 1000 && results.allSatisfy { $0.failure?.label == "cancelled" })
        #expect(await first.value.failure?.errors.count == 1000)
        #expect(held.gauge.now == 0 && held.gauge.all == 6)
    }

    @Test("calls that take no notice of a cancellation are still not all there were")
    func deaf() async {
        let gauge = Gauge()
        let gate = Lock(false)
        let all = Task {
            await Calls.all(0..<10, atOnce: 2) { number -> Result<Int, RepositoryError> in
                gauge.enter()
                await until { gate.withLock { $0 } }
                return .success(number)
            }
        }
        await until { gauge.all == 2 }
        all.cancel()
        gate.withLock { $0 = true }
        #expect(await all.value.failure?.label == "cancelled")
        #expect(gauge.all == 2)
    }

    @Test("a hundred thousand are no more tasks than may be under way")
    func many() async throws {
        let gauge = Gauge()
        let values = await Calls.all(0..<100_000, atOnce: 8) { number in
            gauge.enter()
            defer { gauge.leave() }
            return .success(number)
        }
        #expect(try values.get() == Array(0..<100_000))
        #expect(gauge.most <= 8)
    }
}
