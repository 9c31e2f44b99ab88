import Dispatch
import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("The end of a session", .timeLimit(.minutes(1)))
struct SessionFenceTests {
    private let clock = ManualClock()
    private let store = RecordingStore()
    private let refresher = HeldRefresher()
    private let session: SessionManager<Reader>

    init() {
        session = SessionManager(store: store, refresher: refresher, time: clock)
    }

    private func logIn(_ token: String) async throws {
        try await session.login(Reader(name: token, token: token))
    }

    private func repository(
        _ executor: any RequestExecutor,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> ReaderRepository {
        ReaderRepository(
            configuration: .test {
                $0.time = clock
                configure(&$0)
            },
            session: session,
            executor: executor
        )
    }

    private struct Witness: RequestInterceptor {
        let seen: Lock<[Int]>
        func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {
            seen.withLock { $0.append(response.status) }
        }
    }

    @Test("discards an answer that comes after it, whoever is logged in then", arguments: [200, 401, 500])
    func answers(status: Int) async throws {
        let gate = Milestones()
        let executor = ClosureExecutor { _ in
            _ = try? await gate.reach(1)
            return .answer(status, body: "Ada's")
        }
        let seen = Lock<[Int]>([])
        let repository = repository(executor) { $0.interceptor = Witness(seen: seen) }
        try await logIn("ada")
        let call = Task { await repository.text() }
        await until { executor.requests.count == 1 }
        try await session.logout()
        try await logIn("bob")
        gate.change(by: 1)

        guard case .unauthenticatedSession(let refusal) = await call.value.failure else {
            Issue.record("expected the end of the session")
            return
        }
        #expect(refusal.status == 401 && refusal.body.isEmpty)
        #expect(seen.withLock { $0.isEmpty }, "an interceptor sees it neither")
        #expect(
            session.sessionToken == "bob" && refresher.asked.isEmpty,
            "an old refusal does not touch the new session"
        )
        #expect(executor.requests.count == 1)
    }

    @Test("ends what waits for a retry, a poll or a redirect before it is sent again", arguments: [503, 202, 307])
    func waits(status: Int) async throws {
        let executor = ClosureExecutor(
            answers: [.answer(status, ["Retry-After": "5", "Location": "/v2/b"]), .answer(200, body: "1")]
        )
        let repository = repository(executor) { $0.retry = .standard }
        try await logIn("ada")
        let call = Task { await repository.performPolling(Request<Int>.get("a")) }
        try await clock.sleepers(count: 1)
        try await session.logout()
        try await logIn("bob")
        clock.advance(by: .seconds(60))

        #expect(await call.value.failure?.label == "unauthenticatedSession")
        #expect(executor.requests.count == 1)
    }

    /// Is gone when the last task is over that began in its call, or in one that such a task began.
    private final class Trace: Sendable {
        @TaskLocal static var current: Trace?
        private let ends: Milestones

        init(_ ends: Milestones) {
            self.ends = ends
        }

        deinit { ends.change(by: 1) }
    }

    /// Makes a call, and waits for it and for all that it began.
    private func traced<Output: Sendable>(
        _ work: @escaping @Sendable () async -> Output
    ) -> (call: Task<Output, Never>, ends: Milestones) {
        let ends = Milestones()
        return (Trace.$current.withValue(Trace(ends)) { Task { await work() } }, ends)
    }

    @Test("gives up the renewal of its token, which is no failure of the next session's")
    func renewals() async throws {
        let executor = ClosureExecutor { request in
            request.headers["Authorization"] == "Bearer bobs-next" ? .answer(200, body: "Bob's") : .answer(401)
        }
        let repository = repository(executor)
        try await logIn("ada")
        let (call, ends) = traced { await repository.text() }
        try await refresher.calls(1)
        try await session.logout()
        #expect(await call.value.failure?.label == "unauthenticatedSession")
        try await refresher.cancelled(1)
        try await logIn("bob")
        _ = try await ends.reach(1)
        #expect(session.sessionToken == "bob" && store.credentials?.accessToken == "bob")
        #expect(executor.requests.count == 1, "nothing is sent again for a session that is over")

        // At the same moment: of a renewal that failed, nobody would be asked again so soon.
        let next = Task { await repository.text() }
        try await refresher.calls(2)
        refresher.answer("bobs-next")
        #expect(try await next.value.get() == "Bob's")
        #expect(refresher.asked.map(\.accessToken) == ["ada", "bob"])
    }

    @Test("gives nobody who asks for the next token of it one of the next session's", arguments: [true, false])
    func lateRenewals(isRefused: Bool) async throws {
        try await logIn("ada")
        let grant = try #require(session.grant)
        try await session.logout()
        for user in [nil, "bob"] as [String?] {
            if let user { try await logIn(user) }
            guard case .ended = await session.renewal(of: grant, isRefused: isRefused, by: nil, on: clock) else {
                Issue.record("expected the end of the session")
                return
            }
        }
        #expect(refresher.asked.isEmpty && session.sessionToken == "bob")
    }

    /// Answers when it is told to, whether or not it is cancelled.
    private struct DeafRefresher: TokenRefresher {
        let arrivals = Milestones()
        let gate = Milestones()
        let outcome: Result<SessionCredentials, TokenRefreshError>

        func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
            arrivals.change(by: 1)
            await Task { [gate] in _ = try? await gate.reach(1) }.value
            return try outcome.get()
        }
    }

    @Test("discards what a renewal brings that does not notice its cancellation", arguments: [true, false])
    func deafRenewals(isRenewed: Bool) async throws {
        let next = SessionCredentials(accessToken: "adas-next")
        let deaf = DeafRefresher(outcome: isRenewed ? .success(next) : .failure(.refused))
        let session = SessionManager<Reader>(store: store, refresher: deaf, time: clock)
        let repository = ReaderRepository(
            configuration: .test(),
            session: session,
            executor: ClosureExecutor(answers: [.answer(401)])
        )
        try await session.login(Reader(name: "ada", token: "ada"))
        let (call, ends) = traced { await repository.text() }
        _ = try await deaf.arrivals.reach(1)
        try await session.logout()
        try await session.login(Reader(name: "bob", token: "bob"))
        #expect(await call.value.failure?.label == "unauthenticatedSession")
        #expect(ends.count == 0, "the renewal is still under way")
        deaf.gate.change(by: 1)
        _ = try await ends.reach(1)
        try await session.update(Reader(name: "bob"), credentials: SessionCredentials(accessToken: "bobs-next"))

        #expect(session.sessionToken == "bobs-next" && session.isLoggedIn)
        #expect(store.log == ["save ada", "remove", "save bob", "save bobs-next"])
    }

    @Test("keeps one session's calls from sharing an exchange with another's, even of the same token")
    func coalescing() async throws {
        let gate = Milestones()
        let number = Lock(0)
        let executor = ClosureExecutor { _ in
            let count = number.withLock { number in
                number += 1
                return number
            }
            _ = try? await gate.reach(1)
            return .answer(200, body: "\(count)")
        }
        let repository = repository(executor) { $0.coalescesIdenticalRequests = true }
        try await logIn("same")
        let first = Task { await repository.text() }
        await until { executor.requests.count == 1 }
        try await session.logout()
        try await logIn("same")
        let second = Task { await repository.text() }
        await until { executor.requests.count == 2 }
        gate.change(by: 1)

        #expect(await first.value.failure?.label == "unauthenticatedSession")
        #expect(try await second.value.get() == "2")
    }

    @Test("shares one exchange, one refusal and one replay among the calls of a session")
    func coalescedReplay() async throws {
        let gate = Milestones()
        let events = EventLog()
        let executor = ClosureExecutor { request in
            if request.headers["Authorization"] == "Bearer new" { return .answer(200, body: "new") }
            _ = try? await gate.reach(1)
            return .answer(401)
        }
        let repository = repository(executor) {
            $0.coalescesIdenticalRequests = true
            $0.observer = events
        }
        try await logIn("old")
        let calls = (0..<10).map { _ in Task { await repository.text() } }
        await until { events.joined == 9 }
        gate.change(by: 1)
        await until { events.renewing == 10 }
        try await refresher.calls(1)
        refresher.answer("new")

        for call in calls { #expect(try await call.value.get() == "new") }
        #expect(refresher.asked.count == 1)
        #expect(executor.requests.count { $0.headers["Authorization"] == "Bearer old" } == 1)
    }

    @Test("stops a stream: no further piece is delivered")
    func streams() async throws {
        let server = try ScriptedServer(.generated(byteCount: 4 << 20))
        defer { server.stop() }
        let repository = ReaderRepository(configuration: server.configuration(), session: session)
        try await logIn("ada")
        let response = try await repository.performStreaming(.get("export")).get()
        var chunks = response.chunks.makeAsyncIterator()
        #expect(try await chunks.next() != nil)
        try await session.logout()

        #expect(await failure { _ = try await chunks.next() }?.label == "unauthenticatedSession")
    }

    @Test("ends events: whoever reads them gets none of the next user's")
    func events() async throws {
        let server = try ScriptedServer { _ in .data(Data("data: news\n\n".utf8), contentType: "text/event-stream") }
        defer { server.stop() }
        let configuration = server.configuration { $0.time = clock }
        let repository = ReaderRepository(configuration: configuration, session: session)
        try await logIn("ada")
        var events = repository.events(.get("news")).makeAsyncIterator()
        #expect(try await events.next()?.data == "news")
        let switching = Task {
            try await clock.sleepers(count: 1)
            try await session.logout()
            try await logIn("bob")
            clock.advance(by: .seconds(3))
        }

        #expect(await failure { _ = try await events.next() }?.label == "unauthenticatedSession")
        try await switching.value
        #expect(server.requests.count == 1)
    }

    @Test("leaves no file of a download that it overtook")
    func downloads() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.data(Data("Ada's".utf8)).held(until: gate))
        defer { server.stop() }
        let folder = try TestFolder()
        let repository = ReaderRepository(configuration: server.configuration(), session: session)
        try await logIn("ada")
        let call = Task { await repository.download(.get("bundle"), to: folder.path("bundle")) }
        try await gate.waiters(count: 1)
        try await session.logout()
        gate.open()

        #expect(await call.value.failure?.label == "unauthenticatedSession")
        #expect(folder.content("bundle") == nil)
    }

    @Test("asks for no further range of a file")
    func ranges() async throws {
        let gate = ScriptedServer.Gate()
        let whole = ScriptedServer.Answer.data(Data("0123456789".utf8)).adding(#""v1""#, for: "ETag")
        let piece = ScriptedServer.Answer.data(Data("45".utf8), status: 206).adding(#""v1""#, for: "ETag")
        let server = try ScriptedServer(
            whole.cut(afterBodyBytes: 4),
            piece.adding("bytes 4-5/10", for: "Content-Range").held(until: gate)
        )
        defer { server.stop() }
        let folder = try TestFolder()
        let repository = ReaderRepository(configuration: server.configuration(), session: session)
        try await logIn("ada")
        #expect(await repository.download(.get("bundle"), to: folder.path("bundle")).failure?.label == "incompleteBody")
        let call = Task { await repository.download(.get("bundle"), to: folder.path("bundle")) }
        try await gate.waiters(count: 1)
        try await session.logout()
        gate.open()

        #expect(await call.value.failure?.label == "unauthenticatedSession")
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=4-"])
        #expect(folder.names.isEmpty, "nobody can go on with it")
    }

    @Test("leaves no file of a download that was being put into its place")
    func lastMoment() async throws {
        let executor = ClosureExecutor { _ in .answer(200, body: "Ada's") }
        let folder = try TestFolder()
        let repository = repository(executor)
        try await logIn("ada")
        // An answer in memory is written, and told of, when the call is over but for the file.
        let result = await repository.download(.get("bundle"), to: folder.path("bundle")) { [session] _ in
            let done = DispatchSemaphore(value: 0)
            Task {
                try await session.logout()
                done.signal()
            }
            done.wait()
        }

        #expect(result.failure?.label == "unauthenticatedSession")
        #expect(folder.content("bundle") == nil && folder.content("bundle.part") == nil)
    }

    /// Holds up its decoding until it is told to go on.
    private struct SlowModel: Decodable, Sendable {
        @TaskLocal static var whileDecoding: (@Sendable () -> Void)?

        init(from decoder: any Decoder) { Self.whileDecoding?() }
    }

    @Test("discards an answer that was being decoded")
    func whileDecoding() async throws {
        let repository = repository(ClosureExecutor { _ in .answer(200, body: "{}") })
        try await logIn("ada")
        let isDecoded = Lock(false)
        let result = await SlowModel.$whileDecoding.withValue({ [session] in
            let done = DispatchSemaphore(value: 0)
            Task {
                try await session.logout()
                done.signal()
            }
            done.wait()
            isDecoded.withLock { $0 = true }
        }) {
            await repository.perform(Request<SlowModel>.get("me"))
        }
        #expect(result.failure?.label == "unauthenticatedSession" && isDecoded.withLock { $0 })
    }

    @Test("leaves calls alone that need no session")
    func withoutSession() async throws {
        let gate = Milestones()
        let executor = ClosureExecutor { _ in
            _ = try? await gate.reach(1)
            return .answer(200, body: "public")
        }
        let repository = repository(executor)
        try await logIn("ada")
        let call = Task { await repository.performRaw(.get("news").withoutSession()).map(\.text) }
        await until { executor.requests.count == 1 }
        try await session.logout()
        gate.change(by: 1)

        #expect(try await call.value.get() == "public")
    }
}
