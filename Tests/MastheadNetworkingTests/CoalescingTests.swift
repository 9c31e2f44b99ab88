import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Calls that ask the same")
struct CoalescingTests {
    /// Answers when it is told to, and knows how many wait for it.
    private final class Gate: RequestExecutor {
        private let waiting = Lock<[Int: CheckedContinuation<Result<HTTPResponse, RepositoryError>, Never>]>([:])
        private let arrivals = Lock(0)
        let requests = Lock<[HTTPRequest]>([])

        /// How many exchanges are under way.
        var count: Int { waiting.withLock { $0.count } }

        func execute(
            _ request: HTTPRequest,
            _ configuration: NetworkingConfiguration
        ) async throws(RepositoryError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            let id = arrivals.withLock { count in
                count += 1
                return count
            }
            return try await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isCancelled = waiting.withLock { waiting in
                        if Task.isCancelled { return true }
                        waiting[id] = continuation
                        return false
                    }
                    if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
                }
            } onCancel: {
                waiting.withLock { $0.removeValue(forKey: id) }?.resume(returning: .failure(.cancelled))
            }.get()
        }

        /// Ends every exchange that is under way.
        func open(_ outcome: Result<HTTPResponse, RepositoryError> = .success(.answer(200, body: #""a""#))) {
            let waiting = waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting.values
            }
            for continuation in waiting { continuation.resume(returning: outcome) }
        }
    }

    private let gate = Gate()
    private let log = EventLog()

    private func repository(
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: .test {
                $0.coalescesIdenticalRequests = true
                $0.observer = log
                configure(&$0)
            },
            executor: gate
        )
    }

    /// Yields until it is so.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("share one exchange, and each decodes its answer", .timeLimit(.minutes(1)))
    func shares() async throws {
        let repository = repository()
        let calls = (0..<10).map { _ in
            Task { await repository.perform(Request<String>.get("volumes", headers: ["X-A": "b"])) }
        }
        await until { gate.count == 1 && log.joined == 9 }
        gate.open()
        for call in calls { #expect(try await call.value.get() == "a") }
        #expect(gate.requests.withLock { $0.count } == 1)

        let later = Task { await repository.perform(Request<String>.get("volumes", headers: ["X-A": "b"])) }
        await until { gate.count == 1 }
        gate.open()
        #expect(try await later.value.get() == "a")
        #expect(gate.requests.withLock { $0.count } == 2)
    }

    @Test("are asked apart unless they are told to be one", .timeLimit(.minutes(1)))
    func offByDefault() async throws {
        let repository = repository { $0.coalescesIdenticalRequests = false }
        let calls = (0..<3).map { _ in Task { await repository.perform(Request<String>.get("volumes")) } }
        await until { gate.count == 3 }
        gate.open()
        for call in calls { #expect(try await call.value.get() == "a") }
    }

    @Test("each get the failure, once", .timeLimit(.minutes(1)))
    func sharesFailures() async {
        let failures = Lock(0)
        let repository = repository { $0.onDecodingFailure = { _ in failures.withLock { $0 += 1 } } }
        let calls = (0..<5).map { _ in Task { await repository.perform(Request<String>.get("volumes")) } }
        await until { gate.count == 1 && log.joined == 4 }
        gate.open(.failure(.incompleteBody(received: 1, expected: 2)))
        for call in calls {
            guard case .failure(.incompleteBody) = await call.value else {
                Issue.record("expected the failure")
                return
            }
        }
        #expect(failures.withLock { $0 } == 5)
    }

    @Test("are told apart by anything that a server may look at")
    func tellsApart() throws {
        func request(_ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPRequest {
            var request = HTTPRequest(
                url: try #require(URL(string: "https://h.example/a?b=c")),
                headers: ["Accept": "x", "Authorization": "Bearer a"]
            )
            change(&request)
            return request
        }
        let one = try #require(RequestIdentity(try request()))
        let same: [(inout HTTPRequest) -> Void] = [
            { $0.headers = ["accept": "x", "AUTHORIZATION": "Bearer a"] }, { $0.timeout = .seconds(1) },
            { $0.priority = .high },
        ]
        let other: [(inout HTTPRequest) -> Void] = [
            { $0.method = .head }, { $0.url.append(path: "d") }, { $0.headers["Authorization"] = "Bearer b" },
            { $0.headers["Authorization"] = nil }, { $0.headers["Range"] = "bytes=0-" },
            { $0.headers.append("y", for: "Accept") }, { $0.headers = ["Authorization": "Bearer a", "Accept": "x"] },
            { $0.headers = ["Accept": "Bearer a", "Authorization": "x"] },
        ]
        for change in same { #expect(RequestIdentity(try request(change)) == one) }
        for change in other { #expect(RequestIdentity(try request(change)) != one) }
        for method in [HTTPMethod.post, .put, .delete, .patch, .options, "get"] {
            #expect(RequestIdentity(try request { $0.method = method }) == nil)
        }
        #expect(RequestIdentity(try request { $0.body = .data(Data()) }) == nil)
        #expect(RequestIdentity(try request { $0.delivery = .stream }) == nil)
    }

    @Test("are cancelled alone, and the exchange with the last of them", .timeLimit(.minutes(1)))
    func cancels() async throws {
        let repository = repository()
        let calls = (0..<3).map { _ in Task { await repository.perform(Request<String>.get("volumes")) } }
        await until { gate.count == 1 && log.joined == 2 }
        for (left, call) in zip([1, 1, 0], calls) {
            call.cancel()
            guard case .failure(.cancelled) = await call.value else {
                Issue.record("expected cancelled")
                return
            }
            await until { gate.count == left }
        }
    }

    @Test("run out of time alone", .timeLimit(.minutes(1)))
    func timesOut() async throws {
        let clock = ManualClock()
        let repository = repository { $0.time = clock }
        let slow = Task { await repository.perform(Request<String>.get("volumes", timeout: .seconds(20))) }
        try await clock.sleepers(count: 1)
        let quick = Task { await repository.perform(Request<String>.get("volumes", timeout: .seconds(5))) }
        try await clock.sleepers(count: 2)
        clock.advance(by: .seconds(5))
        guard case .failure(.timeout(.total)) = await quick.value else {
            Issue.record("expected a timeout")
            return
        }
        await until { gate.count == 1 }
        gate.open()
        #expect(try await slow.value.get() == "a")
        #expect(gate.requests.withLock { $0.map(\.timeout) } == [nil])
    }

    @Test("wait behind nobody who is less in a hurry", .timeLimit(.minutes(1)))
    func priorities() async throws {
        let repository = repository()
        var calls: [Task<Result<String, RepositoryError>, Never>] = []
        let steps: [(RequestPriority, exchanges: Int, joined: Int)] = [
            (.normal, 1, 0), (.low, 1, 1), (.normal, 1, 2), (.high, 2, 2), (.normal, 2, 3),
        ]
        for (priority, exchanges, joined) in steps {
            calls.append(Task { await repository.perform(.get("volumes", priority: priority)) })
            await until { gate.count == exchanges && log.joined == joined }
        }
        gate.open()
        for call in calls { #expect(try await call.value.get() == "a") }
    }

    @Test("are told of, one by one, and the exchange under the first of them", .timeLimit(.minutes(1)))
    func tells() async throws {
        let repository = repository()
        let calls = (0..<3).map { _ in Task { await repository.perform(Request<String>.get("volumes")) } }
        await until { gate.count == 1 && log.joined == 2 }
        gate.open()
        for call in calls { #expect(try await call.value.get() == "a") }
        #expect(log.calls.map(\.attempts).sorted() == [0, 0, 1])
        let asking = log.events.compactMap { if case .attemptFinished = $0.kind { $0.call } else { nil } }
        let joining = log.events.compactMap { if case .coalesced(let other) = $0.kind { other } else { nil } }
        #expect(asking.count == 1 && Set(joining) == Set(asking))
    }

    @Test("leave nothing behind, whoever is cancelled when", .timeLimit(.minutes(2)))
    func stress() async {
        let coalescer = RequestCoalescer()
        let identities = (0..<8).compactMap { number in
            RequestIdentity(HTTPRequest(url: URL(filePath: "/\(number)")))
        }
        let outcomes = Lock<[String: Int]>([:])
        let running = Lock(0)
        var random = SystemRandomNumberGenerator()
        await withTaskGroup { group in
            for round in 0..<5000 {
                let identity = identities[round % identities.count]
                let priority = RequestPriority.allCases[round % 3]
                let yields = Int.random(in: 0..<20, using: &random)
                let call = Task {
                    await coalescer.outcome(
                        of: identity,
                        priority: priority,
                        by: nil,
                        on: SystemTime(),
                        caller: round,
                        whenJoined: { _ in }
                    ) {
                        running.withLock { $0 += 1 }
                        defer { running.withLock { $0 -= 1 } }
                        for _ in 0..<yields { await Task.yield() }
                        return Task.isCancelled
                            ? .failure(.connectionLost(mayHaveBeenProcessed: true)) : .success(.answer(200))
                    }
                }
                let cancelsAfter = Bool.random(using: &random) ? Int.random(in: 0..<20, using: &random) : nil
                group.addTask {
                    if let cancelsAfter {
                        for _ in 0..<cancelsAfter { await Task.yield() }
                        call.cancel()
                    }
                    let name =
                        switch await call.value {
                        case .success: "answer"
                        case .failure(.cancelled): cancelsAfter == nil ? "cancelled unasked" : "cancelled"
                        case .failure(let error): "\(error)"
                        }
                    outcomes.withLock { $0[name, default: 0] += 1 }
                }
                if round.isMultiple(of: 64) { await Task.yield() }
            }
        }
        await until { running.withLock { $0 } == 0 }
        let counts = outcomes.withLock { $0 }
        #expect(Set(counts.keys) == ["answer", "cancelled"])
        #expect(counts.values.reduce(0, +) == 5000)
        #expect(coalescer.count == 0)
    }
}
