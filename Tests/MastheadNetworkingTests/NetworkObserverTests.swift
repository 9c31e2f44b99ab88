import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("An observer")
struct NetworkObserverTests {
    private let log = EventLog()
    private let time = JumpingTime()

    private func repository(
        _ executor: any RequestExecutor,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: .test {
                $0.observer = log
                $0.time = time
                $0.randomBits = { 1 << 63 }
                configure(&$0)
            },
            executor: executor
        )
    }

    /// Answers in order, after 10 ms each.
    private func executor(_ outcomes: Result<HTTPResponse, RepositoryError>...) -> ClosureExecutor {
        let next = Lock(0)
        let time = time
        return ClosureExecutor { (_) async throws(RepositoryError) in
            time.pass(.milliseconds(10))
            let place = next.withLock { place in
                defer { place = min(place + 1, outcomes.count - 1) }
                return place
            }
            return try outcomes[place].get()
        }
    }

    /// The events as texts, without the call's number.
    private var texts: [String] { log.events.map { "\($0.kind)" } }

    @Test("sees a call from its start to its end, with every attempt, redirect, retry and poll between")
    func tells() async throws {
        let executor = executor(
            .success(.answer(307, ["Location": "https://b.example/x?token=a"])),
            .failure(.connectionLost(mayHaveBeenProcessed: true)),
            .success(.answer(202)),
            .success(.answer(204))
        )
        let repository = repository(executor) { $0.retry = .standard }
        try await repository.performPolling(Request<Void>.get("volumes", query: ["key": "a", "page": 2])).get()
        let url = "https://api.example.com/v2/volumes?key=[redacted]&page=2"
        let other = "https://b.example/x?token=[redacted]"
        let lost = "connection lost; the request may have been processed"
        #expect(
            texts == [
                "GET \(url) starts",
                "attempt 1: GET \(url)", "attempt 1: GET \(url): status 307 in 10 ms",
                "redirected by 307 to \(other)",
                "attempt 2: GET \(other)", "attempt 2: GET \(other): \(lost) in 10 ms",
                "again in 250 ms, after \(lost)",
                "attempt 3: GET \(other)", "attempt 3: GET \(other): status 202 in 10 ms",
                "not done yet, again in 1000 ms",
                "attempt 4: GET \(url)", "attempt 4: GET \(url): status 204 in 10 ms",
                "GET \(url) ends: status 204, 4 attempts, 1290 ms",
            ]
        )
        #expect(Set(log.events.map(\.call)).count == 1)
        #expect(log.events.map(\.time) == log.events.map(\.time).sorted())
    }

    /// A call's end, as it is arranged and as it is told of.
    struct End: Sendable, CustomTestStringConvertible {
        let label: String
        let attempts: Int
        var status: Int?
        let answers: [Result<HTTPResponse, RepositoryError>]
        var configure: @Sendable (inout NetworkingConfiguration) -> Void = { _ in }

        var testDescription: String { "\(label), \(attempts)" }
    }

    private static let ends: [End] = [
        End(label: "success", attempts: 1, status: 200, answers: [.success(.answer(200, body: #""a""#))]),
        End(label: "requestError", attempts: 1, status: 404, answers: [.success(.answer(404))]),
        End(label: "requestError", attempts: 1, status: 401, answers: [.success(.answer(401))]),
        End(label: "emptyBody", attempts: 1, status: 200, answers: [.success(.answer(200))]),
        End(label: "jsonError", attempts: 1, answers: [.success(.answer(200, body: "<html>"))]),
        End(label: "decodeError", attempts: 1, answers: [.success(.answer(200, body: "7"))]),
        End(label: "refused", attempts: 1, answers: [.failure(.refused(host: "h"))]),
        End(label: "cancelled", attempts: 1, answers: [.failure(.cancelled)]),
        End(label: "timeout.connect", attempts: 1, answers: [.failure(.timeout(.connect))]),
        End(label: "timeout.idle", attempts: 1, answers: [.failure(.timeout(.idle))]),
        End(label: "timeout.queue", attempts: 1, answers: [.failure(.timeout(.queue))]),
        End(label: "timeout.total", attempts: 1, answers: [.failure(.timeout(.total))]),
        End(label: "timeout.total", attempts: 1, answers: [.success(.answer(202))]) { $0.totalTimeout = .seconds(1) },
        End(label: "pollingLimit", attempts: 4, answers: [.success(.answer(202))]),
        End(label: "tooManyRedirects", attempts: 2, answers: [.success(.answer(302, ["Location": "/b"]))]) {
            $0.maximumRedirects = 5
        },
        End(label: "requestError", attempts: 3, status: 503, answers: [.success(.answer(503))]) {
            $0.retry = .standard
        },
        End(label: "circuitOpen", attempts: 0, answers: [.success(.answer(200))]) {
            let breaker = CircuitBreaker(failures: 1)
            guard let origin = try? Origin(URLReference("https://api.example.com/")),
                let ticket = try? breaker.admit(to: origin, at: .seconds(1000))
            else { return }
            breaker.record(.failure, of: ticket, to: origin, at: .seconds(1000))
            $0.circuitBreaker = breaker
        },
        End(label: "invalidConfiguration", attempts: 0, answers: [.success(.answer(200))]) { $0.domainURL = "" },
        End(label: "invalidRequest", attempts: 0, answers: [.success(.answer(200))]) { $0.interceptor = Breaking() },
        End(label: "customError", attempts: 0, answers: [.success(.answer(200))]) { $0.interceptor = Refusing() },
    ]

    @Test("is told of each call's end exactly once, whatever it is", arguments: ends)
    func tellsEndsOnce(end: End) async {
        let next = Lock(0)
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            let place = next.withLock { place in
                defer { place = min(place + 1, end.answers.count - 1) }
                return place
            }
            return try end.answers[place].get()
        }
        let repository = repository(executor, end.configure)
        let result = await repository.performPolling(Request<String>.get("volumes"))

        let kinds = log.events.map(\.kind)
        #expect(kinds.count { if case .callStarted = $0 { true } else { false } } == 1)
        #expect(log.calls.count == 1)
        guard case .callStarted? = kinds.first, case .callFinished(let record)? = kinds.last else {
            Issue.record("expected a start and an end: \(texts)")
            return
        }
        switch (record.outcome, result) {
        case (.answered(let status), .success):
            #expect(end.label == "success" && status == end.status)
        case (.cancelled, .failure(.cancelled)):
            #expect(end.label == "cancelled")
        case (.failed(let failure), .failure(let error)):
            #expect(failure.label == end.label && failure.label == error.label)
            #expect(failure.status == end.status)
            #expect(failure.description == "\(error)")
        default: Issue.record("got \(record.outcome) for \(result)")
        }
        #expect(record.attempts == end.attempts)
        #expect(log.attempts.map(\.attempt) == (0..<end.attempts).map { $0 + 1 })
    }

    @Test("is told of a cancelled call as cancelled, whatever its exchange says")
    func cancels() async {
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            withUnsafeCurrentTask { $0?.cancel() }
            throw .connectionLost(mayHaveBeenProcessed: true)
        }
        let repository = repository(executor)
        _ = await Task { await repository.perform(Request<Void>.get("volumes")) }.value
        #expect(log.attempts.map(\.outcome) == [.cancelled])
        #expect(log.calls.map(\.outcome) == [.cancelled])
    }

    @Test("gets what the executor measured")
    func metrics() async throws {
        var answer = HTTPResponse.answer(204)
        answer.metrics = ExchangeMetrics()
        answer.metrics?.httpVersion = "HTTP/2"
        answer.metrics?.bytesSent = 7
        try await repository(executor(.success(answer))).perform(Request<Void>.get("volumes")).get()
        #expect(log.attempts.map(\.metrics) == [answer.metrics])
    }

    @Test("gets the metrics of libcurl, of what failed too", .timeLimit(.minutes(1)))
    func libcurlMetrics() async throws {
        let server = try ScriptedServer(
            .text("abc"),
            .text("abc"),
            .text("abc").cut(afterBodyBytes: 1),
            .status(204),
            .text("abc")
        )
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.observer = log
                $0.retry = RetryPolicy(baseDelay: .zero)
            }
        )
        for _ in 0..<3 { _ = await repository.performRaw(.get("volumes")) }
        let metrics = try log.attempts.map { try #require($0.metrics) }
        #expect(metrics.map(\.httpVersion) == Array(repeating: "HTTP/1.1", count: 4))
        #expect(metrics.map(\.isConnectionReused) == [false, true, true, false])
        #expect(metrics.allSatisfy { $0.total.map { $0 > .zero } == true && ($0.bytesReceived ?? 0) > 0 })
        #expect(
            log.attempts.map { "\($0.outcome)" } == [
                "status 200", "status 200", "incomplete body: 1 bytes of 3", "status 204",
            ]
        )
        let response = try await repository.performRaw(.get("volumes")).get()
        #expect(response.metrics?.isConnectionReused == true)
    }

    @Test("counts what was sent, with a body and without one", .timeLimit(.minutes(1)))
    func sentBytes() async throws {
        let server = try ScriptedServer(.text("abc"), .text("abc"), .text("abc"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.observer = log })
        let body = RequestBody.data(Data(repeating: 0x61, count: 10_000), contentType: "text/plain")
        _ = try await repository.performRaw(.get("volumes")).get()
        _ = try await repository.performRaw(.post("volumes", body: body)).get()
        _ = try await repository.performRaw(.get("volumes")).get()
        let sent = try log.attempts.map { try #require($0.metrics?.bytesSent) }
        try #require(sent.count == 3)
        #expect(sent[0] > 0)
        #expect((sent[0] + 10_000...sent[0] + 10_200).contains(sent[1]))
        #expect(sent[2] == sent[0])
    }

    @Test("tells the calls of many tasks apart")
    func numbersCalls() async {
        let repository = repository(executor(.success(.answer(204))))
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = await repository.perform(Request<Void>.get("volumes")) } }
        }
        let byCall = Dictionary(grouping: log.events, by: \.call)
        #expect(byCall.count == 100)
        #expect(byCall.values.allSatisfy { $0.count == 4 })
    }

    @Test("as a stream, gives the newest events, to each reader all of them")
    func streams() async {
        let events = NetworkEvents(capacity: 10)
        let first = events.events
        let second = events.events
        let repository = repository(executor(.success(.answer(204)))) { $0.observer = events }
        for _ in 0..<5 { _ = await repository.perform(Request<Void>.get("volumes")) }
        for stream in [first, second] {
            var calls: [Int] = []
            for await event in stream.prefix(10) { calls.append(event.call) }
            #expect(Set(calls).count == 3)
        }
    }

    @Test("as a stream, ends with the observer and with its reader", .timeLimit(.minutes(1)))
    func endsStreams() async {
        var events: NetworkEvents? = NetworkEvents()
        let stream = events?.events
        let reader = Task { [stream = events?.events] in
            guard let stream else { return }
            for await _ in stream {}
        }
        reader.cancel()
        await reader.value
        events = nil
        guard let stream else { return }
        for await _ in stream { Issue.record("there was no event") }
    }
}

/// Makes of every request one that cannot be sent.
private struct Breaking: RequestInterceptor {
    func willSend(_ request: inout HTTPRequest) { request.headers["X-A"] = "a\r\nb" }
}

/// Refuses every request.
private struct Refusing: RequestInterceptor {
    func willSend(_ request: inout HTTPRequest) throws(RepositoryError) { throw .customError(Refused.here) }
}

private enum Refused: CustomRepositoryError { case here }
