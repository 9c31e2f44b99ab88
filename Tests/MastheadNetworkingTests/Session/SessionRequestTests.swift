import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Calls with a session")
struct SessionRequestTests {
    private let session = SessionManager<Reader>(store: InMemoryTokenStore())

    private func logIn(_ token: String = "t") async throws {
        try await session.login(Reader(name: "Ada", token: token))
    }

    private func repository(
        _ executor: any RequestExecutor,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> ReaderRepository {
        ReaderRepository(configuration: .test(configure), session: session, executor: executor)
    }

    /// Every kind of call, as it begins.
    private static let kinds: [(String, @Sendable (AbstractRepository, String) async -> RepositoryError?)] = [
        ("decoded", { repository, _ in await repository.perform(Request<Int>.get("a")).failure }),
        ("void", { repository, _ in await repository.perform(Request<Void>.get("a")).failure }),
        ("raw", { repository, _ in await repository.performRaw(.get("a")).failure }),
        ("polling", { repository, _ in await repository.performPolling(Request<Int>.get("a")).failure }),
        ("streamed", { repository, _ in await repository.performStreaming(.get("a")).failure }),
        ("downloaded", { repository, path in await repository.download(.get("a"), to: path).failure }),
        (
            "events",
            { repository, _ in
                await failure {
                    var events = repository.events(.get("a")).makeAsyncIterator()
                    _ = try await events.next()
                }
            }
        ),
    ]

    @Test("carry the token, whatever kind of call it is", arguments: SessionRequestTests.kinds.map(\.0))
    func everyKind(name: String) async throws {
        let kind = try #require(Self.kinds.first { $0.0 == name })
        let server = try ScriptedServer { request in
            request.headers["Authorization"] == "Bearer fresh"
                ? ScriptedServer.Answer(
                    status: 200,
                    headers: ["Content-Type": "text/event-stream"],
                    body: Data((name == "events" ? "data: 1\n\n" : "1").utf8)
                ) : .status(401)
        }
        defer { server.stop() }
        let folder = try TestFolder()
        let refresher = HeldRefresher()
        let session = SessionManager<Reader>(store: InMemoryTokenStore(), refresher: refresher)
        let repository = AbstractRepository(configuration: server.configuration(), session: session)
        let path = folder.path("file")

        guard case .unauthenticatedSession(let refusal) = await kind.1(repository, path) else {
            Issue.record("without a session it must not be sent")
            return
        }
        #expect(refusal.status == 401 && refusal.body.isEmpty && server.requests.isEmpty)

        try await session.login(Reader(name: "Ada", token: "stale"))
        let call = Task { await kind.1(repository, path) }
        try await refresher.calls(1)
        refresher.answer("fresh")
        #expect(await call.value == nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer stale", "Bearer fresh"])

        try await session.logout()
        #expect(await kind.1(repository, path)?.label == "unauthenticatedSession")
        #expect(server.requests.count == 2, "after a logout nothing is sent")
    }

    @Test("carry it in the form that the configuration names")
    func schemes() async throws {
        let schemes: [(AuthorizationScheme, String, String)] = [
            (.bearer, "Authorization", "Bearer t"), (.bareToken, "Authorization", "t"),
            (.clientKey(), "Authorization", "method=clientkey,token=t"),
            (.clientKey(method: "reader"), "Authorization", "method=reader,token=t"),
            (.custom { "v1 \($0.value)" }, "Authorization", "v1 t"),
            (.custom(field: "X-Reader") { $0.value }, "X-Reader", "t"),
        ]
        try await logIn()
        for (scheme, field, value) in schemes {
            let executor = ClosureExecutor(answers: [.answer(200)])
            _ = try await repository(executor) { $0.authorization = scheme }.text().get()
            #expect(executor.requests[0].headers.fields.last == HTTPHeaders.Field(name: field, value: value))
        }
        let executor = ClosureExecutor(answers: [.answer(200)])
        let configuration = NetworkingConfiguration.test { $0.authorization = .custom(field: "X Reader") { $0.value } }
        #expect(throws: RepositoryError.self) { try configuration.validate() }
        try await session.update(Reader(name: "Ada"), credentials: SessionCredentials(accessToken: "t\r\nX-Evil: 1"))
        #expect(await repository(executor).text().failure?.label == "invalidRequest")
        #expect(executor.requests.isEmpty)
    }

    private struct Detour: RequestInterceptor {
        let change: @Sendable (inout HTTPRequest) -> Void
        let seen = Lock<[String?]>([])

        func willSend(_ request: inout HTTPRequest) {
            seen.withLock { $0.append(request.headers["Authorization"]) }
            change(&request)
        }
    }

    @Test("carry it to the configured origin only, wherever an interceptor leads")
    func interceptor() async throws {
        try await logIn()
        let targets = [
            "https://api.example.com/other": true, "https://API.example.com:443/other": true,
            "https://api.example.com:8443/v2/volumes": false, "http://api.example.com/v2/volumes": false,
            "https://api.example.com.evil.example/v2/volumes": false, "https://evil.example/v2/volumes": false,
        ]
        for (target, isHome) in targets {
            let executor = ClosureExecutor(answers: [.answer(401)])
            let url = try #require(URL(string: target))
            let detour = Detour { $0.url = url }
            let error = await repository(executor) { $0.interceptor = detour }.text().failure

            #expect((executor.requests[0].headers["Authorization"] != nil) == isHome, "\(target)")
            #expect(detour.seen.withLock { $0 } == [nil], "the interceptor does not see the token")
            // Another server's 401 says nothing about the session.
            #expect(error?.label == (isHome ? "unauthenticatedSession" : "requestError"))
            #expect(session.isLoggedIn == !isHome)
            if isHome { try await logIn() }
        }
    }

    @Test(
        "leave the token at home when they are redirected, and it does not come back",
        arguments: [
            AuthorizationScheme.bearer, .custom(field: "X-Reader") { $0.value },
        ]
    )
    func redirects(scheme: AuthorizationScheme) async throws {
        try await logIn()
        let executor = ClosureExecutor { request in
            switch request.url.absoluteString {
            case "https://api.example.com/v2/volumes": .answer(302, ["Location": "/v2/moved"])
            case "https://api.example.com/v2/moved": .answer(302, ["Location": "https://cdn.example.net/a"])
            case "https://cdn.example.net/a": .answer(302, ["Location": "https://api.example.com/v2/back"])
            default: .answer(401)
            }
        }
        let error = await repository(executor) { $0.authorization = scheme }.text().failure

        let carried = executor.requests.map { $0.headers[scheme.field] != nil }
        #expect(carried == [true, true, false, false])
        #expect(error?.label == "requestError" && session.isLoggedIn, "what carried no token was not refused for it")
    }

    @Test(
        "say what an app's own redirect carries",
        arguments: [
            ("same", true), ("token replaced", false), ("with secrets elsewhere", false),
        ]
    )
    func ownRedirect(change: String, isSession: Bool) async throws {
        try await logIn()
        let executor = ClosureExecutor { request in
            request.url.path() == "/v2/volumes" ? .answer(302, ["Location": "/v2/b"]) : .answer(401)
        }
        let error = await repository(executor) {
            $0.onRedirect = { redirect in
                var request = HTTPRequest(url: redirect.request.url, headers: redirect.request.headers)
                switch change {
                case "token replaced": request.headers["Authorization"] = "Bearer own"
                case "with secrets elsewhere":
                    request.url = URL(string: "https://other.example/") ?? request.url
                    return .sendWithSecrets(request)
                default: break
                }
                return .send(request)
            }
        }.text().failure

        #expect(error?.label == (isSession ? "unauthenticatedSession" : "requestError"))
        #expect(session.isLoggedIn == !isSession)
    }

    @Test("keep a field of their own, and a refusal of that is no matter of the session's")
    func ownField() async throws {
        try await logIn()
        let executor = ClosureExecutor(answers: [.answer(401)])
        let error = await repository(executor).performRaw(.get("a", headers: ["authorization": "Own x"])).failure

        #expect(executor.requests.map { $0.headers["Authorization"] } == ["Own x"])
        #expect(error?.label == "requestError" && session.isLoggedIn)
    }

    @Test("can be made without the session: a login's 401 is the app's own error")
    func withoutSession() async throws {
        enum LoginError: CustomRepositoryError { case wrongPassword }
        let executor = ClosureExecutor(answers: [.answer(401, body: "no")])
        let result = await repository(executor)
            .perform(Request<Reader>.post("login", body: .form(["password": "x"])).withoutSession())
            .mapCustomError([401: LoginError.wrongPassword])

        guard case .failure(.customError(LoginError.wrongPassword)) = result else {
            Issue.record("got \(result)")
            return
        }
        try await logIn()
        guard
            case .failure(.requestError(let refusal)) = await repository(executor)
                .performRaw(.get("a").withoutSession())
        else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.status == 401 && session.isLoggedIn)
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("carry the token again in a retry and in a poll")
    func retriesAndPolls() async throws {
        try await logIn()
        let executor = ClosureExecutor(answers: [.answer(503), .answer(202), .answer(503), .answer(200, body: "7")])
        let result = await repository(executor) {
            $0.retry = .standard
            $0.time = JumpingTime()
        }.performPolling(Request<Int>.get("a"))

        #expect(try result.get() == 7)
        #expect(executor.requests.map { $0.headers["Authorization"] } == Array(repeating: "Bearer t", count: 4))
    }

    @Test("give the app the body of the refusal that ended the session")
    func refusalBody() async throws {
        try await logIn()
        let executor = ClosureExecutor(answers: [.answer(401, body: #"{"error": "suspended"}"#)])
        guard case .failure(.unauthenticatedSession(let refusal)) = await repository(executor).text() else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.value(at: "/error") == "suspended")
        #expect("\(session.state)" == "expired")
    }

    @Test("W7: keep no cookie, and share none with another repository")
    func cookies() async throws {
        try await logIn()
        let server = try ScriptedServer { _ in .status(204, headers: ["Set-Cookie": "sid=1; Path=/"]) }
        defer { server.stop() }
        for _ in 0..<2 {
            let repository = ReaderRepository(configuration: server.configuration(), session: session)
            _ = try await repository.text().get()
            _ = try await repository.text().get()
        }
        #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.headers["Cookie"] == nil })
    }
}
