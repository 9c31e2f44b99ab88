import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("A polling call")
struct PollingTests {
    private func repository(
        _ executor: ClosureExecutor,
        _ time: JumpingTime,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: .test {
                $0.time = time
                configure(&$0)
            },
            executor: executor
        )
    }

    @Test("asks again while the server answers 202, then decodes")
    func polls() async throws {
        let time = JumpingTime()
        let done = HTTPResponse.answer(200, body: #"{"id": "a", "title": "b"}"#)
        let executor = ClosureExecutor(answers: [.answer(202), .answer(202), done])
        let volume: Volume = try await repository(executor, time).performPolling(.get("volumes")).get()
        #expect(volume.id == "a")
        #expect(executor.requests.count == 3)
        #expect(time.waits == [.seconds(1), .seconds(1)])
    }

    @Test("sends one request and as many more as it may", arguments: [0, 1, 3, 7])
    func limits(retries: Int) async throws {
        let time = JumpingTime()
        let executor = ClosureExecutor(answers: [.answer(202)])
        let repository = repository(executor, time) { $0.maximumPollingRetries = retries }
        let error = await repository.performPolling(Request<HTTPResponse>.get("volumes")).failure
        guard case .pollingLimit(attempts: retries + 1)? = error else {
            Issue.record("expected the limit, got \(String(describing: error))")
            return
        }
        #expect(executor.requests.count == retries + 1)
        #expect(time.waits.count == retries)
    }

    @Test(
        "waits as long as the server says, within bounds",
        arguments: [
            ("2", .seconds(2)), ("0", .zero), ("-3", .seconds(1)), ("soon", .seconds(1)), ("", .seconds(1)),
            ("99999999999", Polling.longestWait), ("99999999999999999999999", Polling.longestWait),
            ("Tue, 14 Nov 2023 22:13:50 GMT", .seconds(30)), ("Tue, 14 Nov 2023 22:13:10 GMT", .zero),
        ] as [(String, Duration)]
    )
    func obeysRetryAfter(value: String, expected: Duration) async throws {
        let time = JumpingTime()
        let executor = ClosureExecutor(answers: [.answer(202, ["Retry-After": value]), .answer(204)])
        try await repository(executor, time).performPolling(Request<Void>.get("volumes")).get()
        #expect(time.waits == [expected])
    }

    @Test("fails at once when a wait would pass the deadline of the whole call")
    func neverWaitsPastTheDeadline() async throws {
        let time = JumpingTime()
        let executor = ClosureExecutor(answers: [.answer(202, ["Retry-After": "4"])])
        let repository = repository(executor, time) { $0.totalTimeout = .seconds(10) }
        let error = await repository.performPolling(Request<Void>.get("volumes")).failure
        guard case .timeout(.total)? = error else {
            Issue.record("expected a timeout, got \(String(describing: error))")
            return
        }
        #expect(time.waits == [.seconds(4), .seconds(4)])
        #expect(executor.requests.map(\.timeout) == [.seconds(10), .seconds(6), .seconds(2)])
    }

    @Test("the call's own timeout wins over the configuration's")
    func ownTimeout() async throws {
        let time = JumpingTime()
        let executor = ClosureExecutor(answers: [.answer(202)])
        var request = Request<Void>.get("volumes")
        request.timeout = .milliseconds(900)
        let error = await repository(executor, time) { $0.totalTimeout = .seconds(100) }.performPolling(request).failure
        guard case .timeout(.total)? = error else {
            Issue.record("expected a timeout, got \(String(describing: error))")
            return
        }
        #expect(executor.requests.map(\.timeout) == [.milliseconds(900)])
    }

    @Test("one deadline holds over redirects and polls")
    func oneDeadline() async throws {
        let time = JumpingTime()
        let executor = ClosureExecutor { (request) async throws(RepositoryError) in
            time.pass(.seconds(3))
            return request.url.path().hasSuffix("/moved") ? .answer(202) : .answer(307, ["Location": "/moved"])
        }
        let repository = repository(executor, time) { $0.totalTimeout = .seconds(8) }
        let error = await repository.performPolling(Request<Void>.get("volumes")).failure
        guard case .timeout(.total)? = error else {
            Issue.record("expected a timeout, got \(String(describing: error))")
            return
        }
        #expect(executor.requests.map(\.timeout) == [.seconds(8), .seconds(5), .seconds(1)])
    }

    @Test("a call that does not poll takes 202 as it is")
    func takes202() async throws {
        let executor = ClosureExecutor(answers: [.answer(202)])
        try await repository(executor, JumpingTime()).perform(Request<Void>.post("jobs")).get()
        #expect(executor.requests.count == 1)
    }

    @Test("ends with the refusal that a poll meets")
    func refusal() async throws {
        let executor = ClosureExecutor(answers: [.answer(202), .answer(410)])
        let error = await repository(executor, JumpingTime()).performPolling(Request<Void>.get("jobs")).failure
        guard case .requestError(let refusal)? = error, refusal.status == 410 else {
            Issue.record("expected a refusal, got \(String(describing: error))")
            return
        }
    }
}
