import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// Bodies read as they come, over real sockets.
@Suite("A streamed answer", .timeLimit(.minutes(1)))
struct ResponseStreamTests {
    @Test("brings the head first, and the body in lines")
    func lines() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(
            .text("one\ntwo\r\nthree").chunked(size: 2).held(until: gate, afterBodyBytes: 0)
        )
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        let response = try await repository.performStreaming(.get("export")).get()
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(response.url == server.baseURL.appending(path: "export"))
        gate.open()
        var lines: [String] = []
        for try await line in response.lines() { lines.append(line) }

        #expect(lines == ["one", "two", "three"])
    }

    @Test("ends with the error of a line that is too long")
    func longLine() async throws {
        let server = try ScriptedServer(.text("one\n" + String(repeating: "x", count: 1000)))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        var lines = try await repository.performStreaming(.get("export")).get().lines(limit: 100).makeAsyncIterator()

        #expect(try await lines.next() == "one")
        #expect(await failure { _ = try await lines.next() }?.label == "bodyTooLarge")
    }

    @Test("has no limit for a body that is not kept")
    func beyondTheLimit() async throws {
        let server = try ScriptedServer(.generated(byteCount: 1 << 20))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.maximumBodySize = 1000 })

        #expect(try await Self.read(repository.performStreaming(.get("")).get()).count == 1 << 20)
    }

    @Test(
        "case 6: ends in a typed error after what came of a body that is cut",
        arguments: [
            .text("abcdef").claimingLength(10), .text("abcdef").chunked(size: 2, isEnded: false),
            .text("abcdefgh").cut(afterBodyBytes: 6),
            .text("abcdefgh").reset(afterBodyBytes: 6),
        ] as [ScriptedServer.Answer]
    )
    func cut(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.retry = .standard })

        let response = try await repository.performStreaming(.get("")).get()
        var received = Data()
        let error = await failure { for try await chunk in response.chunks { received.append(chunk) } }

        #expect(Data("abcdef".utf8).starts(with: received))
        #expect(error?.label == "incompleteBody")
        let next = await failure { for try await _ in response.chunks {} }
        #expect(next?.label == error?.label, "and again, for whoever reads on")
        #expect(server.requests.count == 1, "a body that was begun is not asked for again")
    }

    @Test("brings the body of a refusal whole, in the error")
    func refusal() async throws {
        let server = try ScriptedServer(.json(#"{"reason": "busy"}"#, status: 503))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        let refusal = await repository.performStreaming(.get("")).failure

        guard case .requestError(let error) = refusal else {
            Issue.record("unexpected \(String(describing: refusal))")
            return
        }
        #expect(error.status == 503)
        #expect(error.body == Data(#"{"reason": "busy"}"#.utf8))
    }

    @Test("goes the whole way of a call: redirects, and attempts until the head is there")
    func wholeWay() async throws {
        let server = try ScriptedServer(.hangUp, .redirect(to: "/new"), .status(503), .text("body"))
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.retry = .standard
                $0.retry.baseDelay = .zero
            }
        )

        let response = try await repository.performStreaming(.get("old")).get()

        #expect(response.url.path() == "/new")
        #expect(try await Self.read(response) == Data("body".utf8))
        #expect(server.requests.map(\.path) == ["/old", "/old", "/new", "/new"])
    }

    @Test("is read by its own caller alone, though identical requests are shared")
    func isNotShared() async throws {
        let server = try ScriptedServer { _ in .text("body") }
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration { $0.coalescesIdenticalRequests = true }
        )

        async let first = repository.performStreaming(.get("same"))
        async let second = repository.performStreaming(.get("same"))
        let bodies = [try await Self.read(first.get()), try await Self.read(second.get())]

        #expect(bodies == [Data("body".utf8), Data("body".utf8)])
    }

    @Test("comes of an executor that answers whole, too")
    func ofMemory() async throws {
        let stub = StubExecutor { _ in .text("one\ntwo") }
        let repository = AbstractRepository(configuration: .test(), executor: stub)

        let response = try await repository.performStreaming(.get("")).get()
        var lines: [String] = []
        for try await line in response.lines() { lines.append(line) }

        #expect(lines == ["one", "two"])
        #expect(try await Self.read(response).isEmpty, "it is read once")
    }

    @Test("is read on where another loop stopped")
    func readOn() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("abcd").held(until: gate, afterBodyBytes: 2))
        defer { server.stop() }
        let response = try await AbstractRepository(configuration: server.configuration())
            .performStreaming(.get("")).get()

        for try await chunk in response.chunks {
            #expect(chunk == Data("ab".utf8))
            break
        }
        gate.open()

        #expect(try await Self.read(response) == Data("cd".utf8))
    }

    @Test("is what another request sends, piece by piece")
    func piped() async throws {
        let source = try ScriptedServer(.generated(byteCount: 3 << 20))
        let target = try ScriptedServer(.status(204))
        defer { source.stop() }
        defer { target.stop() }
        let response = try await AbstractRepository(configuration: source.configuration())
            .performStreaming(.get("")).get()

        let body = RequestBody.stream(response.chunks, length: 3 << 20)
        try await AbstractRepository(configuration: target.configuration())
            .perform(Request<Void>.put("copy", body: body)).get()

        #expect(try await target.request(0).bodyLength == 3 << 20)
    }

    static func read(_ response: ResponseStream) async throws -> Data {
        var body = Data()
        for try await chunk in response.chunks { body.append(chunk) }
        return body
    }
}
