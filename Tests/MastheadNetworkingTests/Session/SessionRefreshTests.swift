import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A session's renewal", .timeLimit(.minutes(1)))
struct SessionRefreshTests {
    private let clock = ManualClock()
    private let events = EventLog()
    private let store = RecordingStore()
    private let refresher = HeldRefresher()

    private func session(
        _ refresher: (any TokenRefresher)? = nil,
        failedRenewal: FailedRenewal = .endsSession
    ) -> SessionManager<Reader> {
        SessionManager(store: store, refresher: refresher ?? self.refresher, failedRenewal: failedRenewal, time: clock)
    }

    private func repository(
        _ session: SessionManager<Reader>,
        _ executor: any RequestExecutor,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> ReaderRepository {
        ReaderRepository(
            configuration: .test {
                $0.time = clock
                $0.observer = events
                configure(&$0)
            },
            session: session,
            executor: executor
        )
    }

    /// Takes one token; its answer is the path that was asked.
    private static func server(accepting token: String) -> ClosureExecutor {
        ClosureExecutor { request in
            request.headers["Authorization"] == "Bearer \(token)"
                ? .answer(200, body: request.url.lastPathComponent) : .answer(401, body: "stale")
        }
    }

    private func logIn(_ session: SessionManager<Reader>, expiresIn seconds: Double? = nil) async throws {
        let expiry = seconds.map { clock.date + $0 }
        let credentials = SessionCredentials(accessToken: "old", refreshToken: "again", expiry: expiry)
        try await session.login(Reader(name: "Ada"), credentials: credentials)
    }

    private struct InstantRefresher: TokenRefresher {
        func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
            SessionCredentials(accessToken: "new", refreshToken: "again")
        }
    }

    @Test("sends again what a redirect led to, and not what was done before it", arguments: [301, 303, 307])
    func afterRedirect(status: Int) async throws {
        let executor = ClosureExecutor { request in
            if request.url.lastPathComponent == "orders" { return .answer(status, ["Location": "/v2/orders/7"]) }
            return request.headers["Authorization"] == "Bearer new" ? .answer(200, body: "done") : .answer(401)
        }
        let session = session(InstantRefresher())
        try await logIn(session)
        let answer = await repository(session, executor).performRaw(.post("orders", body: .text("one")))

        #expect(try answer.get().text == "done")
        #expect(executor.requests.map(\.url.lastPathComponent) == ["orders", "7", "7"])
        let method: HTTPMethod = status == 307 ? .post : .get
        #expect(executor.requests.map(\.method) == [.post, method, method])
    }

    @Test(
        "case 16: 50 calls refused with one stale token, some of them late, make one renewal; each is sent again once"
    )
    func oneFlight() async throws {
        let late = Milestones()
        let executor = ClosureExecutor { request in
            if request.headers["Authorization"] == "Bearer new" {
                return .answer(200, body: request.url.lastPathComponent)
            }
            if request.url.lastPathComponent.hasPrefix("late") { _ = try? await late.reach(1) }
            return .answer(401)
        }
        let session = session()
        try await logIn(session)
        let repository = repository(session, executor)
        let names = (0..<50).map { $0 < 40 ? "soon-\($0)" : "late-\($0)" }
        let calls = names.map { name in Task { await repository.text("\(name)") } }
        await until { executor.requests.count == 50 && events.renewing == 40 }
        try await refresher.calls(1)
        refresher.answer("new")
        for call in calls.prefix(40) { _ = try await call.value.get() }
        late.change(by: 1)

        for (name, call) in zip(names, calls) { #expect(try await call.value.get() == name) }
        #expect(refresher.asked.map(\.accessToken) == ["old"])
        let sent = Dictionary(grouping: executor.requests, by: \.url.lastPathComponent)
        for name in names {
            #expect(sent[name]?.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        }
        #expect(session.sessionToken == "new")
        await until { store.log.count == 2 }
        #expect(store.log == ["save old", "save new"])
    }

    @Test(
        "case 17: a renewal that the server refuses fails every call once, expires the session once, sends nothing again"
    )
    func refused() async throws {
        let executor = Self.server(accepting: "new")
        let logins = ClosureExecutor(answers: [.answer(400, body: #"{"error": "invalid_grant"}"#)])
        let intercepted = Lock(0)
        let session = session(
            OAuth2Refresher(
                configuration: .test { $0.interceptor = Counting(count: intercepted) },
                path: "token",
                clientID: "app",
                executor: logins
            )
        )
        try await logIn(session)
        let repository = repository(session, executor)
        let calls = (0..<50).map { number in Task { await repository.text("\(number)") } }
        for call in calls {
            guard case .unauthenticatedSession(let refusal) = await call.value.failure else {
                Issue.record("expected the end of the session")
                return
            }
            #expect(refusal.status == 401)
        }
        #expect("\(session.state)" == "expired")
        #expect(logins.requests.count == 1 && intercepted.withLock { $0 } == 1)
        #expect(logins.requests[0].headers["Authorization"] == nil, "a renewal goes without the session")
        #expect(
            executor.requests.count <= 50
                && executor.requests.allSatisfy { $0.headers["Authorization"] == "Bearer old" }
        )
        await until { store.log.count == 2 }
        #expect(store.log == ["save old", "remove"])
    }

    private struct Counting: RequestInterceptor {
        let count: Lock<Int>
        func willSend(_ request: inout HTTPRequest) { count.withLock { $0 += 1 } }
    }

    @Test("case 17: a renewal that is refused with 401 itself is not renewed")
    func refusedItself() async throws {
        let logins = ClosureExecutor(answers: [.answer(401)])
        let session = session(
            OAuth2Refresher(configuration: .test(), path: "token", clientID: "app", executor: logins)
        )
        try await logIn(session)
        let result = await repository(session, Self.server(accepting: "new")).text()

        #expect(result.failure?.label == "unauthenticatedSession" && "\(session.state)" == "expired")
        #expect(logins.requests.count == 1)
    }

    @Test("case 17: a renewal that hangs is waited for as long as it may take, and goes on where the session does")
    func hangs() async throws {
        let executor = Self.server(accepting: "new")
        let session = session(failedRenewal: .keepsSession)
        try await logIn(session)
        let repository = repository(session, executor)
        let calls = (0..<50).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == 50 }
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(29))
        #expect(session.isLoggedIn)
        clock.advance(by: .seconds(1))

        for call in calls { #expect(await call.value.failure?.label == "timeout.total") }
        #expect(refresher.asked.count == 1 && refresher.cancelledCount == 0 && executor.requests.count == 50)
        #expect(session.sessionToken == "old")

        #expect(
            await repository.text().failure?.label == "timeout.total",
            "a server in trouble is left alone for a moment"
        )
        clock.advance(by: .seconds(1))
        let beside = Task { await repository.text("beside") }
        await until { events.renewing == 52 }
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(29))
        #expect(await beside.value.failure?.label == "timeout.total")
        try await refresher.cancelled(1)
        #expect(refresher.asked.count == 1, "no other begins beside it")

        clock.advance(by: .seconds(1))
        let later = Task { await repository.text("later") }
        try await refresher.calls(2)
        refresher.answer("new")
        #expect(try await later.value.get() == "later")
    }

    @Test("that comes after its time is kept, and no other is made beside it")
    func comesLate() async throws {
        let executor = Self.server(accepting: "new")
        let session = session(failedRenewal: .keepsSession)
        try await logIn(session)
        let repository = repository(session, executor)
        let call = Task { await repository.text("first") }
        try await refresher.calls(1)
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(30))
        #expect(await call.value.failure?.label == "timeout.total")

        clock.advance(by: .seconds(1))
        let next = Task { await repository.text("next") }
        await until { events.renewing == 2 }
        refresher.answer(.success(SessionCredentials(accessToken: "new", refreshToken: "rotated")))
        #expect(try await next.value.get() == "next")
        #expect(refresher.asked.count == 1 && session.credentials?.refreshToken == "rotated")
        await until { store.log.count == 2 }
        #expect(store.credentials == session.credentials)
    }

    @Test("that comes after its time is given up with the token that it is for", arguments: [false, true])
    func lateForNothing(byLogout: Bool) async throws {
        let session = session(failedRenewal: .keepsSession)
        try await logIn(session)
        let call = Task { await repository(session, Self.server(accepting: "new")).text() }
        try await refresher.calls(1)
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(30))
        #expect(await call.value.failure?.label == "timeout.total")
        #expect(refresher.cancelledCount == 0)

        let other = SessionCredentials(accessToken: "other", refreshToken: "another")
        if byLogout {
            try await session.logout()
        } else {
            try await session.update(Reader(name: "Ada"), credentials: other)
        }
        try await refresher.cancelled(1)
        #expect(session.credentials == (byLogout ? nil : other) && refresher.asked.count == 1)
    }

    @Test("goes on where only the user changes, with the refresh token and the expiry", arguments: [false, true])
    func userChanges(byLogin: Bool) async throws {
        let session = session()
        try await logIn(session, expiresIn: 600)
        let before = session.credentials
        let call = Task { await repository(session, Self.server(accepting: "new")).text("a") }
        try await refresher.calls(1)
        let grant = session.grant
        let ada = Reader(name: "Ada L.", token: "old")
        if byLogin {
            try await session.login(ada)
            try await session.login(ada, credentials: before)
        } else {
            try await session.update(ada)
            try await session.update(ada, credentials: before)
        }
        #expect(session.currentUser == ada && session.grant == grant)
        #expect(session.credentials == before && before?.refreshToken == "again" && before?.expiry != nil)
        #expect(store.credentials == before)

        refresher.answer("new")
        #expect(try await call.value.get() == "a")
        #expect(refresher.asked == [before] && session.sessionToken == "new")
    }

    @Test("that nobody could be asked for gives every call its error, and leaves the session")
    func fails() async throws {
        let session = session()
        try await logIn(session)
        let repository = repository(session, Self.server(accepting: "new"))
        let calls = (0..<5).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == 5 }
        try await refresher.calls(1)
        refresher.answer(.failure(.failed(.noNetworkConnection)))
        for call in calls { #expect(await call.value.failure?.label == "noNetworkConnection") }
        #expect(session.isLoggedIn && store.credentials?.accessToken == "old")
    }

    @Test("is not given up with a call that is cancelled, nor with the last")
    func cancellation() async throws {
        let executor = Self.server(accepting: "new")
        let session = session()
        try await logIn(session)
        let repository = repository(session, executor)
        let first = Task { await repository.text("first") }
        try await refresher.calls(1)
        let second = Task { await repository.text("second") }
        await until { events.renewing == 2 }
        first.cancel()
        #expect(await first.value.failure?.label == "cancelled")
        second.cancel()
        #expect(await second.value.failure?.label == "cancelled")

        refresher.answer("new")
        await until { session.sessionToken == "new" }
        #expect(try await repository.text("third").get() == "third")
        #expect(refresher.asked.count == 1)
    }

    @Test("counts for the deadline of each call, and goes on for the others")
    func deadline() async throws {
        let session = session()
        try await logIn(session)
        let repository = repository(session, Self.server(accepting: "new"))
        let short = Task { await repository.text("short", timeout: .seconds(5)) }
        let long = Task { await repository.text("long", timeout: .seconds(10)) }
        // Both deadlines, and the renewal's own.
        try await clock.sleepers(count: 3)
        clock.advance(by: .seconds(5))
        #expect(await short.value.failure?.label == "timeout.total")
        refresher.answer("new")
        #expect(try await long.value.get() == "long")
    }

    @Test("is asked for once: a refusal of the new token is the answer, and the session goes on")
    func refusedAgain() async throws {
        let executor = Self.server(accepting: "neither")
        let session = session()
        try await logIn(session)
        let repository = repository(session, executor)
        let call = Task { await repository.text() }
        try await refresher.calls(1)
        refresher.answer("new")
        guard case .unauthenticatedSession(let refusal) = await call.value.failure else {
            Issue.record("expected a refusal")
            return
        }
        #expect(String(decoding: refusal.body, as: UTF8.self) == "stale")
        #expect(executor.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(refresher.asked.count == 1 && session.sessionToken == "new")
    }

    @Test("serves a call whose body can be read only once by the next call")
    func bodyOnce() async throws {
        let executor = Self.server(accepting: "new")
        let session = session()
        try await logIn(session)
        let repository = repository(session, executor)
        func request() -> Request<HTTPResponse> {
            let pieces = AsyncStream<Data> { $0.finish() }
            return .post("a", body: .stream(pieces, contentType: "text/plain"))
        }
        let call = Task { await repository.performRaw(request()) }
        try await refresher.calls(1)
        refresher.answer("new")
        #expect(await call.value.failure?.label == "bodyNotReplayable")
        #expect(executor.requests.count == 1)
        _ = try await repository.performRaw(request()).get()

        // What is in memory is sent again whole.
        try await session.update(Reader(name: "Ada"), credentials: SessionCredentials(accessToken: "old"))
        let again = Task { await repository.performRaw(.post("b", body: .text("whole"))) }
        try await refresher.calls(2)
        refresher.answer("new")
        _ = try await again.value.get()
        #expect(executor.requests.suffix(2).map { $0.body?.data } == [Data("whole".utf8), Data("whole".utf8)])
    }

    @Test("comes shortly before a token's known end: nobody waits for it, and no request is sent twice")
    func proactive() async throws {
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let session = session()
        try await logIn(session, expiresIn: 600)
        let repository = repository(session, executor)
        clock.advance(by: .seconds(569))
        #expect(try await repository.text().get() == "Bearer old")
        #expect(refresher.asked.isEmpty)
        clock.advance(by: .seconds(1))
        for _ in 0..<10 { #expect(try await repository.text().get() == "Bearer old") }
        try await refresher.calls(1)
        refresher.answer("new")
        await until { session.sessionToken == "new" }

        #expect(try await repository.text().get() == "Bearer new")
        #expect(executor.requests.count == 12 && refresher.asked.count == 1)
    }

    @Test("that hangs is waited for by those whose token was refused or has ended, and by no other")
    func hangsBeforeTheEnd() async throws {
        let executor = ClosureExecutor { request in
            let authorization = request.headers["Authorization"] ?? ""
            let isRefused = request.url.lastPathComponent == "strict" && authorization == "Bearer old"
            return .answer(isRefused ? 401 : 200, body: authorization)
        }
        let session = session()
        try await logIn(session, expiresIn: 600)
        let repository = repository(session, executor)
        clock.advance(by: .seconds(590))
        #expect(try await repository.text("first").get() == "Bearer old")
        try await refresher.calls(1)
        let refused = Task { await repository.text("strict") }
        // Once because the token ends soon, and once because it was refused.
        await until { events.renewing == 3 }
        #expect(try await repository.text("beside").get() == "Bearer old")
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(10))
        let ended = Task { await repository.text("late") }
        await until { events.renewing == 5 }
        #expect(executor.requests.count == 3)
        refresher.answer("new")

        #expect(try await refused.value.get() == "Bearer new")
        #expect(try await ended.value.get() == "Bearer new")
        #expect(executor.requests.count == 5 && refresher.asked.count == 1)
    }

    @Test("that fails before the token's end leaves it in use; after it the call fails")
    func proactiveFails() async throws {
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let session = session()
        try await logIn(session, expiresIn: 600)
        let repository = repository(session, executor)
        clock.advance(by: .seconds(590))
        #expect(try await repository.text().get() == "Bearer old")
        try await failRenewal(1)
        #expect(try await repository.text().get() == "Bearer old")
        #expect(refresher.asked.count == 1, "not again at once")

        clock.advance(by: .seconds(10))
        let late = Task { await repository.text() }
        try await failRenewal(2)
        #expect(await late.value.failure?.label == "dns")
        #expect(await repository.text().failure?.label == "dns")
        #expect(executor.requests.count == 2 && session.isLoggedIn)
    }

    /// Lets a renewal fail, and waits until the session knows.
    private func failRenewal(_ number: Int) async throws {
        try await refresher.calls(number)
        try await clock.sleepers(count: 1)
        refresher.answer(.failure(.failed(.dns(host: "h"))))
        await until { clock.nextDeadline == nil }
    }

    @Test("does not run ahead of tokens that live shorter than it looks ahead, or not at all")
    func shortLives() async throws {
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let session = session()
        try await logIn(session, expiresIn: 10)
        let repository = repository(session, executor)
        #expect(try await repository.text().get() == "Bearer old")
        clock.advance(by: .seconds(5))
        #expect(try await repository.text().get() == "Bearer old")
        try await refresher.calls(1)
        // By our clock it has ended before it came.
        refresher.answer(.success(SessionCredentials(accessToken: "new", refreshToken: "r", expiry: clock.date - 1)))
        await until { session.sessionToken == "new" }
        #expect(try await repository.text().get() == "Bearer new")
        #expect(refresher.asked.count == 1)
    }

    @Test("is told of, without a token, in events and in the log")
    func isTold() async throws {
        let lines = Lock<[String]>([])
        let session = session()
        try await session.login(
            Reader(name: "Ada"),
            credentials: SessionCredentials(accessToken: "plantold", refreshToken: "plantrefresh")
        )
        let repository = repository(session, Self.server(accepting: "plantnew")) {
            $0.logger = RequestLogger(level: .bodies) { line in lines.withLock { $0.append(line) } }
            $0.authorization = .bearer
        }
        let call = Task { await repository.text() }
        try await refresher.calls(1)
        refresher.answer(.success(SessionCredentials(accessToken: "plantnew", refreshToken: "plantagain")))
        _ = try await call.value.get()
        let refused = Task { await repository.performRaw(.get("b")) }
        _ = await refused.value

        let kinds = events.events.map { "\($0.kind)" }
        #expect(kinds.contains("the token was refused, waits for another") && kinds.contains("has a token to use"))
        let written = lines.withLock { $0 }
        #expect(written.contains { $0.hasSuffix("waits for a new token") })
        #expect(written.contains { $0.hasSuffix("has a token to use") })
        #expect(!(kinds + written).contains { $0.contains("plant") })
    }

    @Test("whose field has a name of the app's own shows no token in the log")
    func ownFieldInLog() async throws {
        let lines = Lock<[String]>([])
        let session = session()
        try await session.login(Reader(name: "Ada", token: "plantx"))
        let executor = ClosureExecutor(answers: [.answer(200)])
        _ = await repository(session, executor) {
            $0.authorization = .custom(field: "X-Library-Card") { $0.value }
            $0.logger = RequestLogger(level: .bodies) { line in lines.withLock { $0.append(line) } }
        }.text()
        #expect(executor.requests[0].headers["X-Library-Card"] == "plantx")
        #expect(!lines.withLock { $0 }.contains { $0.contains("plantx") })
    }

    @Test("that the store does not keep is told of, and is used all the same")
    func storeFails() async throws {
        let failures = Lock<[TokenStoreError]>([])
        let session = SessionManager<Reader>(store: store, refresher: refresher, time: clock) { error in
            failures.withLock { $0.append(error) }
        }
        try await logIn(session)
        store.fail(with: .inaccessible(reason: "full"))
        let call = Task { await repository(session, Self.server(accepting: "new")).text() }
        try await refresher.calls(1)
        refresher.answer("new")
        _ = try await call.value.get()
        await until { failures.withLock { !$0.isEmpty } }
        #expect(failures.withLock { $0 } == [.inaccessible(reason: "full")])
        #expect(session.sessionToken == "new" && store.credentials?.accessToken == "old")
    }
}
