import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A circuit breaker")
struct CircuitBreakerTests {
    private func admit(_ circuit: inout Circuit, at now: Duration) -> Circuit.Ticket? {
        guard case .admitted(let ticket) = circuit.admit(at: now) else { return nil }
        return ticket
    }

    private func run(_ circuit: inout Circuit, _ verdict: Circuit.Verdict, at now: Duration) {
        guard let ticket = admit(&circuit, at: now) else {
            Issue.record("refused")
            return
        }
        circuit.record(verdict, of: ticket, at: now)
    }

    @Test("opens after so many failures in a row, and no others")
    func opens() {
        var circuit = Circuit(threshold: 3, pause: .seconds(30))
        for verdict in [.failure, .failure, .success, .failure, .none, .failure] as [Circuit.Verdict] {
            run(&circuit, verdict, at: .zero)
        }
        #expect(circuit.refusal(at: .zero) == nil)
        run(&circuit, .failure, at: .seconds(1))
        let early = circuit.admit(at: .seconds(11))
        #expect(early == .refused(retryAfter: .seconds(20)))
        #expect(circuit.refusal(at: .milliseconds(30_999)) == .milliseconds(1))
        #expect(circuit.refusal(at: .seconds(31)) == nil)
    }

    @Test("lets one probe through after the pause; an answer closes it, a failure opens it again")
    func probes() throws {
        var circuit = Circuit(threshold: 1, pause: .seconds(30))
        run(&circuit, .failure, at: .zero)
        let probe = try #require(admit(&circuit, at: .seconds(30)))
        let other = circuit.admit(at: .seconds(31))
        #expect(other == .refused(retryAfter: .seconds(30)))
        circuit.record(.failure, of: probe, at: .seconds(40))
        #expect(circuit.refusal(at: .seconds(69)) == .seconds(1))

        run(&circuit, .success, at: .seconds(70))
        let first = try #require(admit(&circuit, at: .seconds(70)))
        let second = try #require(admit(&circuit, at: .seconds(70)))
        #expect(first == second)
    }

    @Test("a probe that says nothing leaves its place to the next")
    func lostProbe() throws {
        var circuit = Circuit(threshold: 1, pause: .seconds(30))
        run(&circuit, .failure, at: .zero)
        run(&circuit, .none, at: .seconds(30))
        #expect(admit(&circuit, at: .seconds(30)) != nil)
        #expect(admit(&circuit, at: .seconds(30)) == nil)
    }

    @Test("what was let through before a change says nothing about what came after")
    func lateOutcomes() throws {
        var circuit = Circuit(threshold: 1, pause: .seconds(30))
        let late = try #require(admit(&circuit, at: .zero))
        let later = try #require(admit(&circuit, at: .zero))
        run(&circuit, .failure, at: .zero)
        circuit.record(.success, of: late, at: .seconds(1))
        #expect(circuit.refusal(at: .seconds(1)) != nil)
        let probe = try #require(admit(&circuit, at: .seconds(30)))
        circuit.record(.failure, of: later, at: .seconds(31))
        circuit.record(.success, of: probe, at: .seconds(31))
        #expect(circuit.refusal(at: .seconds(31)) == nil)
    }

    @Test("an origin that is down for two hours gets one request in each pause")
    func outage() {
        var circuit = Circuit(threshold: 5, pause: .seconds(30))
        var sent = 0
        for second in 0..<7200 {
            guard let ticket = admit(&circuit, at: .seconds(second)) else { continue }
            sent += 1
            circuit.record(.failure, of: ticket, at: .seconds(second))
        }
        #expect(sent == 5 + 239)
    }

    @Test("takes what did not come whole for a failure, a refusal for an answer, and our own end for neither")
    func judges() {
        let failures: [RepositoryError] = [
            .dns(host: "h"), .refused(host: "h"), .tls(reason: "x"), .connectionLost(mayHaveBeenProcessed: true),
            .timeout(.connect),
            .timeout(.idle), .timeout(.total), .incompleteBody(received: 1, expected: nil), .corruptBody(reason: "x"),
            .invalidResponse(reason: "x"),
        ]
        let neither: [RepositoryError] = [
            .cancelled, .noNetworkConnection, .timeout(.queue), .invalidRequest(reason: "x"),
            .pinMismatch(PinMismatch(host: "h", expected: [])),
        ]
        for error in failures { #expect(Circuit.Verdict(.failure(error)) == .failure, "\(error)") }
        for error in neither { #expect(Circuit.Verdict(.failure(error)) == .none, "\(error)") }
        #expect(Circuit.Verdict(.failure(.bodyTooLarge(limit: 1))) == .success)
        for status in [200, 304, 401, 404, 408, 429, 499] {
            #expect(Circuit.Verdict(.success(.answer(status))) == .success)
        }
        for status in [500, 503, 599] { #expect(Circuit.Verdict(.success(.answer(status))) == .failure) }
    }

    @Test("ends calls at once while the circuit is open, and lets them through when the origin answers again")
    func breaksCalls() async throws {
        let clock = ManualClock()
        let isDown = Lock(true)
        let stub = StubExecutor { _ in isDown.withLock { $0 } ? .failure(.refused(host: "h")) : .status(204) }
        let breaker = CircuitBreaker(failures: 2, pause: .seconds(30))
        let repository = AbstractRepository(
            configuration: .test {
                $0.time = clock
                $0.circuitBreaker = breaker
            },
            executor: stub
        )
        func failure() async -> RepositoryError? { await repository.perform(Request<Void>.get("volumes")).failure }

        for _ in 0..<2 { #expect(await failure().map { "\($0)" } == "no connection to h") }
        clock.advance(by: .seconds(10))
        guard case .circuitOpen(host: "api.example.com", retryAfter: .seconds(20))? = await failure() else {
            Issue.record("expected an open circuit")
            return
        }
        #expect(stub.requests.count == 2)

        isDown.withLock { $0 = false }
        clock.advance(by: .seconds(20))
        #expect(await failure() == nil)
        #expect(await failure() == nil)
        #expect(stub.requests.count == 4)
    }

    @Test("a circuit that opens under a call ends its attempts with what happened")
    func endsRetries() async {
        let executor = ClosureExecutor(answers: [.answer(503)])
        let repository = AbstractRepository(
            configuration: .test {
                $0.time = JumpingTime()
                $0.retry = RetryPolicy(maximumAttempts: 5)
                $0.circuitBreaker = CircuitBreaker(failures: 2)
            },
            executor: executor
        )
        guard case .requestError? = await repository.perform(Request<Void>.get("volumes")).failure else {
            Issue.record("expected the refusal")
            return
        }
        #expect(executor.requests.count == 2)
    }

    @Test("a cancelled call says nothing about its origin")
    func cancelled() async {
        let isCancelled = Lock(true)
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            guard isCancelled.withLock({ $0 }) else { return .answer(204) }
            withUnsafeCurrentTask { $0?.cancel() }
            throw .connectionLost(mayHaveBeenProcessed: true)
        }
        let repository = AbstractRepository(
            configuration: .test { $0.circuitBreaker = CircuitBreaker(failures: 1) },
            executor: executor
        )
        _ = await Task { await repository.perform(Request<Void>.get("volumes")) }.value
        isCancelled.withLock { $0 = false }
        #expect(await repository.perform(Request<Void>.get("volumes")).failure == nil)
    }
}
