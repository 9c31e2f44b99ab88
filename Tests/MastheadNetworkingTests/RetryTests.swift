import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("A call that is tried again")
struct RetryTests {
    private let time = JumpingTime()

    private func repository(
        _ executor: ClosureExecutor,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: .test {
                $0.time = time
                $0.retry = .standard
                $0.randomBits = { 1 << 63 }
                configure(&$0)
            },
            executor: executor
        )
    }

    /// An executor that gives outcomes in order, then the last again and again.
    private static func executor(_ outcomes: Result<HTTPResponse, RepositoryError>...) -> ClosureExecutor {
        let next = Lock(0)
        return ClosureExecutor { (_) async throws(RepositoryError) in
            let place = next.withLock { place in
                defer { place = min(place + 1, outcomes.count - 1) }
                return place
            }
            return try outcomes[place].get()
        }
    }

    @Test("succeeds with the attempt that does, after waits chosen by chance")
    func succeeds() async throws {
        let executor = Self.executor(
            .failure(.connectionLost(mayHaveBeenProcessed: true)),
            .success(.answer(503)),
            .success(.answer(200, body: #"{"id": "a", "title": "b"}"#))
        )
        let volume: Volume = try await repository(executor).perform(.get("volumes")).get()
        #expect(volume.id == "a")
        #expect(executor.requests.count == 3)
        #expect(time.waits == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("fails with what the last attempt failed of")
    func fails() async {
        let executor = Self.executor(
            .failure(.connectionLost(mayHaveBeenProcessed: true)),
            .failure(.refused(host: "h")),
            .success(.answer(502))
        )
        let error = await repository(executor).perform(Request<Void>.get("volumes")).failure
        guard case .requestError(let refusal)? = error, refusal.status == 502 else {
            Issue.record("expected the refusal, got \(String(describing: error))")
            return
        }
        #expect(executor.requests.count == 3)
    }

    @Test("is sent once by default")
    func never() async {
        let executor = Self.executor(.failure(.connectionLost(mayHaveBeenProcessed: true)))
        let error = await repository(executor) { $0.retry = .never }.perform(Request<Void>.get("volumes")).failure
        guard case .connectionLost? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(executor.requests.count == 1 && time.waits.isEmpty)
    }

    @Test(
        "case 18: a POST that the server may have acted on is sent once, unless it has a key",
        arguments: [nil, "7f3c"]
    )
    func sendsPOSTOnce(key: String?) async {
        let executor = Self.executor(.failure(.connectionLost(mayHaveBeenProcessed: true)), .success(.answer(204)))
        var request = Request<Void>.post("orders", body: .text("one"))
        request.headers["Idempotency-Key"] = key
        let result = await repository(executor).perform(request)
        if key == nil, case .failure(.connectionLost(mayHaveBeenProcessed: true)) = result {
            #expect(executor.requests.count == 1)
        } else if key != nil, case .success = result {
            #expect(executor.requests.map(\.body?.data) == [Data("one".utf8), Data("one".utf8)])
            #expect(executor.requests.allSatisfy { $0.headers["Idempotency-Key"] == key })
        } else {
            Issue.record("got \(result)")
        }
    }

    /// What a server asks for by `Retry-After`, and the wait it makes.
    ///
    /// An answer that the policy asks again may be final, and a redirect may be followed at once: `nil`.
    struct Asked: Sendable, CustomTestStringConvertible {
        let value: String
        let retry: Duration?
        let poll: Duration
        let redirect: Duration?

        var testDescription: String { value }
    }

    private static let asked = [
        Asked(value: "2", retry: .seconds(2), poll: .seconds(2), redirect: .seconds(2)),
        Asked(value: "Tue, 14 Nov 2023 22:13:50 GMT", retry: .seconds(30), poll: .seconds(30), redirect: .seconds(30)),
        Asked(value: "Tue, 14 Nov 2023 22:13:10 GMT", retry: .zero, poll: .zero, redirect: .zero),
        Asked(value: "-3", retry: .milliseconds(250), poll: .seconds(1), redirect: nil),
        Asked(value: "soon", retry: .milliseconds(250), poll: .seconds(1), redirect: nil),
        Asked(value: "99999999999", retry: nil, poll: .seconds(300), redirect: .seconds(300)),
    ]

    @Test("case 19: a Retry-After of 429 and 503 is kept to, or the answer is final", arguments: asked, [429, 503])
    func obeysRetryAfter(asked: Asked, status: Int) async {
        let executor = Self.executor(
            .success(.answer(status, ["Retry-After": asked.value])),
            .success(.answer(204))
        )
        let result = await repository(executor).perform(Request<Void>.get("volumes"))
        #expect(time.waits == [asked.retry].compactMap { $0 })
        #expect(executor.requests.count == (asked.retry == nil ? 1 : 2))
        #expect((result.failure == nil) == (asked.retry != nil))
    }

    @Test("case 19: a Retry-After of 202 is the pause before the next poll", arguments: asked)
    func pollsAfter(asked: Asked) async throws {
        let executor = Self.executor(
            .success(.answer(202, ["Retry-After": asked.value])),
            .success(.answer(204))
        )
        try await repository(executor).performPolling(Request<Void>.get("volumes")).get()
        #expect(time.waits == [asked.poll])
    }

    @Test("case 19: a Retry-After of 301 is kept to before the redirect is followed", arguments: asked)
    func redirectsAfter(asked: Asked) async throws {
        let executor = Self.executor(
            .success(.answer(301, ["Retry-After": asked.value, "Location": "/moved"])),
            .success(.answer(204))
        )
        try await repository(executor) { $0.retry = .never }.perform(Request<Void>.get("volumes")).get()
        #expect(time.waits == [asked.redirect].compactMap { $0 })
        #expect(executor.requests.map { $0.url.path() } == ["/v2/volumes", "/moved"])
    }

    @Test("case 19: a wait past the deadline is not begun", arguments: [429, 503, 202, 301])
    func neverWaitsPastTheDeadline(status: Int) async {
        let executor = Self.executor(.success(.answer(status, ["Retry-After": "20", "Location": "/moved"])))
        let error = await repository(executor) { $0.totalTimeout = .seconds(20) }
            .performPolling(Request<Void>.get("volumes")).failure
        switch error {
        case .requestError(let refusal)? where [429, 503].contains(status): #expect(refusal.status == status)
        case .timeout(.total)? where [202, 301].contains(status): break
        default: Issue.record("got \(String(describing: error))")
        }
        #expect(executor.requests.count == 1 && time.waits.isEmpty)
    }

    @Test("one deadline holds over all attempts")
    func oneDeadline() async {
        let time = time
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            time.pass(.seconds(3))
            throw .connectionLost(mayHaveBeenProcessed: true)
        }
        let repository = repository(executor) {
            $0.totalTimeout = .seconds(8)
            $0.retry.maximumAttempts = 10
        }
        let error = await repository.perform(Request<Void>.get("volumes")).failure
        guard case .connectionLost? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(executor.requests.map(\.timeout) == [.seconds(8), .milliseconds(4750), .milliseconds(1250)])
    }

    @Test("redirects share the retries, and each is judged by itself")
    func retriesHops() async throws {
        let executor = ClosureExecutor { [count = Lock(0)] (request) async throws(RepositoryError) in
            switch (
                request.method,
                count.withLock {
                    $0 += 1; return $0
                }
            ) {
            case (.post, 1): return .answer(303, ["Location": "/receipt"])
            case (.get, 4): return .answer(200, body: "null")
            default: throw .connectionLost(mayHaveBeenProcessed: true)
            }
        }
        let request = Request<Volume?>.post("orders")
        let result = await repository(executor).perform(request)
        guard case .success = result else {
            Issue.record("got \(result)")
            return
        }
        #expect(executor.requests.map(\.method) == [.post, .get, .get, .get])
    }

    @Test("a call that is cancelled in a wait ends as cancelled")
    func cancels() async {
        let time = JumpingTime { withUnsafeCurrentTask { $0?.cancel() } }
        let executor = Self.executor(.failure(.connectionLost(mayHaveBeenProcessed: true)))
        let repository = repository(executor) { $0.time = time }
        let error = await Task { await repository.perform(Request<Void>.get("volumes")).failure }.value
        guard case .cancelled? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(executor.requests.count == 1)
    }

    @Test("the logger tells of the wait")
    func logs() async {
        let lines = Lock<[String]>([])
        let executor = Self.executor(.failure(.connectionLost(mayHaveBeenProcessed: true)), .success(.answer(204)))
        let logger = RequestLogger { line in lines.withLock { $0.append(line) } }
        _ = await repository(executor) { $0.logger = logger }.perform(
            Request<Void>.get("volumes", query: ["token": "x"])
        )
        #expect(
            lines.withLock { $0 }.contains("~ GET https://api.example.com/v2/volumes?token=[redacted] again in 250 ms")
        )
    }
}
