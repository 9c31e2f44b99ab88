import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("The budget of retries")
struct RetryBudgetTests {
    private static func origin(_ host: String) throws -> Origin {
        try Origin(URLReference("https://\(host)/"))
    }

    @Test("starts full, gives back a part with each request and each second, and never overflows")
    func tokens() {
        let rate = RetryTokens.Rate(perRequest: 0.25, interval: .seconds(10), maximum: 2)
        var tokens = RetryTokens(rate, at: .zero)
        func take(_ count: Int, at now: Duration) -> [Bool] { (0..<count).map { _ in tokens.takeRetry(at: now) } }
        #expect(take(3, at: .zero) == [true, true, false])
        for _ in 0..<4 { tokens.countRequest(at: .zero) }
        #expect(take(2, at: .zero) == [true, false])
        #expect(take(1, at: .milliseconds(9999)) == [false])
        #expect(take(1, at: .seconds(10)) == [true])
        #expect(take(1, at: .seconds(5)) == [false])
        for _ in 0..<100 { tokens.countRequest(at: .seconds(7200)) }
        #expect(tokens.tokens == 2)
    }

    @Test("a host that is down for two hours gets hardly more than was asked")
    func outage() throws {
        let budget = RetryBudget()
        let origin = try Self.origin("h.example")
        var retries = 0
        for second in 0..<7200 {
            for _ in 0..<5 {
                budget.countRequest(to: origin, at: .seconds(second))
                // Each of them would be tried twice more.
                for _ in 0..<2 where budget.takeRetry(to: origin, at: .seconds(second)) { retries += 1 }
            }
        }
        #expect((4300...4340).contains(retries), "a tenth of 36,000, 720 for the time, 10 at the start: \(retries)")
    }

    @Test("each host has its own, and the one asked longest ago is forgotten first")
    func hosts() throws {
        let budget = RetryBudget(retriesPerRequest: 0, interval: .zero, maximum: 1)
        let hosts = try (0..<300).map { try Self.origin("h\($0).example") }
        for host in hosts { #expect(budget.takeRetry(to: host, at: .zero)) }
        #expect(!budget.takeRetry(to: hosts[299], at: .zero))
        #expect(!budget.takeRetry(to: hosts[44], at: .zero))
        #expect(budget.takeRetry(to: hosts[43], at: .zero))
    }

    @Test("a table remembers a bounded number of origins, the last used ones")
    func bounded() throws {
        var table = OriginTable<Int>(capacity: 3)
        let hosts = try (0..<5).map { try Self.origin("h\($0).example") }
        for (number, host) in hosts.prefix(3).enumerated() { table.update(host, startingWith: number) { _ in } }
        table.update(hosts[0], startingWith: 9) { $0 += 100 }
        table.update(hosts[3], startingWith: 3) { _ in }
        table.update(hosts[4], startingWith: 4) { _ in }
        #expect(hosts.map { table[$0] } == [100, nil, nil, 3, 4])
        #expect(table.count == 3)
    }

    @Test("calls stop trying again when it is used up, and each ends with what happened", arguments: [true, false])
    func limitsCalls(isLimited: Bool) async {
        let executor = ClosureExecutor(answers: [.answer(503)])
        let repository = AbstractRepository(
            configuration: .test {
                $0.time = JumpingTime()
                $0.retry = .standard
                $0.randomBits = { 0 }
                if !isLimited { $0.retryBudget = nil }
            },
            executor: executor
        )
        for _ in 0..<50 {
            guard case .requestError? = await repository.perform(Request<Void>.get("volumes")).failure else {
                Issue.record("expected the refusal")
                return
            }
        }
        #expect(executor.requests.count == (isLimited ? 50 + 10 + 4 : 150))
    }

    @Test("copies of a configuration share it, others have their own")
    func shared() {
        let configuration = NetworkingConfiguration.test()
        var copy = configuration
        copy.timeout = .seconds(1)
        #expect(configuration.retryBudget === copy.retryBudget)
        #expect(configuration.retryBudget !== NetworkingConfiguration.test().retryBudget)
    }
}
