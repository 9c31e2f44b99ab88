import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// The pipeline over real sockets: what the servers saw, and what came back.
@Suite("A call over a socket", .timeLimit(.minutes(1)))
struct WireTests {
    @Test(
        "ends an exchange that hangs at the configuration's time-outs, by its clock",
        arguments: [
            (TimeoutKind.total, Duration.seconds(40), Duration?.none), (.total, nil, .seconds(40)),
            (.idle, nil, nil),
        ] as [(TimeoutKind, Duration?, Duration?)]
    )
    func timesOut(kind: TimeoutKind, configured: Duration?, requested: Duration?) async throws {
        let server = try ScriptedServer { _ in .never }
        defer { server.stop() }
        let clock = ManualClock()
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.time = clock
                $0.timeout = .seconds(50)
                $0.totalTimeout = configured
            }
        )
        let call = Task {
            var request: Request<Void> = .get("slow")
            request.timeout = requested
            return await repository.perform(request)
        }
        _ = try await server.request(0)
        clock.advance(by: .seconds(kind == .total ? 40 : 50))
        guard case .timeout(kind)? = await call.value.failure else {
            Issue.record("got \(await call.value)")
            return
        }
    }

    @Test("polls by the clock, as often as it may")
    func polls() async throws {
        let server = try ScriptedServer(.status(202, headers: ["Retry-After": "30"]), .status(202), .json("[7]"))
        defer { server.stop() }
        let clock = ManualClock()
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.time = clock
                $0.secondsBetweenPolls = .seconds(4)
            }
        )
        async let numbers = repository.performPolling(Request<[Int]>.get("job"))
        try await clock.sleepers(count: 1)
        #expect(clock.nextDeadline == .seconds(30))
        clock.advance(by: .seconds(30))
        _ = try await server.request(1)
        try await clock.sleepers(count: 1)
        #expect(clock.nextDeadline == .seconds(34))
        clock.advance(by: .seconds(4))
        #expect(try await numbers.get() == [7])
        #expect(server.requests.count == 3)
    }

    @Test("is cancelled while it waits for the next poll")
    func cancelsPolling() async throws {
        let server = try ScriptedServer { _ in .status(202) }
        defer { server.stop() }
        let clock = ManualClock()
        let repository = AbstractRepository(configuration: server.configuration { $0.time = clock })
        let call = Task { await repository.performPolling(Request<Void>.get("job")).failure }
        try await clock.sleepers(count: 1)
        call.cancel()
        guard case .cancelled? = await call.value else {
            Issue.record("expected cancelled")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test("sends no byte of a request that cannot be sent", arguments: Tampering.allCases)
    func sendsNothing(how: Tampering) async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.interceptor = how })
        #expect(await repository.perform(Request<Void>.get("a")).failure != nil)
        #expect(server.connectionCount == 0)
    }

    @Test("sends no byte with an impossible configuration")
    func invalidConfiguration() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.timeout = .zero })
        guard case .invalidConfiguration? = await repository.perform(Request<Void>.get("a")).failure else {
            Issue.record("expected an invalid configuration")
            return
        }
        #expect(server.connectionCount == 0)
    }

    /// What a hostile or broken server sends, and what comes of it.
    enum Hostile: String, CaseIterable, Sendable {
        case html, cut, empty, shortened, deep, wrongKind, notUTF8, loneSurrogate

        var answer: ScriptedServer.Answer {
            switch self {
            case .html: .data(Data("<html><body>Bad gateway</body></html>".utf8), contentType: "text/html")
            case .cut: .json(#"[{"id": "a", "title": "b"}, {"id": "c", "ti"#)
            case .empty: .json("")
            case .shortened: .json(#"[{"id": "a", "title": "b"}]"#).cut(afterBodyBytes: 10)
            case .deep: .json(String(repeating: "[", count: 100_000))
            case .wrongKind: .json(#"[{"id": "a", "title": "b"}, {"id": "c", "title": ["b"]}]"#)
            case .notUTF8:
                .data(Data(#"[{"id": ""#.utf8) + [0xC3, 0x28] + Data(#""}]"#.utf8), contentType: "application/json")
            case .loneSurrogate: .json(#"[{"id": "a\ud800b", "title": "b"}]"#)
            }
        }

        func explains(_ error: RepositoryError?) -> Bool {
            switch (self, error) {
            case (.html, .jsonError(let failure)): failure.byteOffset == 0
            case (.cut, .jsonError(let failure)): failure.byteOffset == 43
            case (.empty, .emptyBody(status: 200)): true
            case (.shortened, .incompleteBody(received: 10, expected: 27)): true
            case (.deep, .jsonError(let failure)): failure.byteOffset == 512
            case (.wrongKind, .decodeError(let failure)): failure.codingPath == "[1].title" && failure.byteOffset == 49
            case (.notUTF8, .jsonError(let failure)): failure.byteOffset == 9
            case (.loneSurrogate, .jsonError(let failure)): failure.byteOffset.map { 9...16 ~= $0 } ?? false
            default: false
            }
        }
    }

    @Test("ends in a typed error whatever the body is, reported once", arguments: Hostile.allCases)
    func hostileBodies(body: Hostile) async throws {
        let server = try ScriptedServer(body.answer)
        defer { server.stop() }
        let reports = Lock(0)
        let repository = AbstractRepository(
            configuration: server.configuration { $0.onDecodingFailure = { _ in reports.withLock { $0 += 1 } } }
        )
        let error = await repository.perform(Request<[Volume]>.get("volumes")).failure
        #expect(body.explains(error), "\(body): \(String(describing: error))")
        #expect(reports.withLock { $0 } == 1)
    }

    @Test("reports nothing where no model was wanted of a body that is cut")
    func cutBodyOfNoModel() async throws {
        let server = try ScriptedServer { _ in Hostile.shortened.answer }
        defer { server.stop() }
        let reports = Lock(0)
        let repository = AbstractRepository(
            configuration: server.configuration { $0.onDecodingFailure = { _ in reports.withLock { $0 += 1 } } }
        )
        #expect(Hostile.shortened.explains(await repository.perform(Request<Void>.get("volumes")).failure))
        #expect(Hostile.shortened.explains(await repository.performRaw(.get("volumes")).failure))
        #expect(reports.withLock { $0 } == 0)
    }

    @Test("stops at the limit of a body, in bounded memory")
    func hugeBody() async throws {
        let server = try ScriptedServer(.generated(byteCount: 200_000_000, contentType: "application/json"))
        defer { server.stop() }
        let reports = Lock<[String]>([])
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.maximumBodySize = 1_000_000
                $0.onDecodingFailure = { failure in reports.withLock { $0.append(failure.model) } }
            }
        )
        let error = await repository.perform(Request<[Volume]>.get("volumes")).failure
        #expect(reports.withLock { $0 } == ["[Volume]"])
        guard case .bodyTooLarge(limit: 1_000_000)? = error else {
            Issue.record("expected too large a body, got \(String(describing: error))")
            return
        }
    }
}
