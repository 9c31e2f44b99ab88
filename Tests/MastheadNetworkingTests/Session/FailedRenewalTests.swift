import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Case 17: each thing that may keep a token from being renewed, with each setting, while ten calls wait.
@Suite("A renewal that fails", .timeLimit(.minutes(1)))
struct FailedRenewalTests {
    private let clock = ManualClock()
    private let events = EventLog()
    private let store = RecordingStore()
    /// Lets renewals through.
    private let gate = Milestones()

    private func session(
        _ refresher: any TokenRefresher,
        _ setting: FailedRenewal
    ) async throws -> SessionManager<Reader> {
        let session =
            if setting == .endsSession {
                SessionManager<Reader>(store: store, refresher: refresher, time: clock)
            } else {
                SessionManager<Reader>(store: store, refresher: refresher, failedRenewal: setting, time: clock)
            }
        try await logIn(session)
        return session
    }

    private func logIn(_ session: SessionManager<Reader>) async throws {
        let expiry = clock.date + 600
        let credentials = SessionCredentials(accessToken: "old", refreshToken: "again", expiry: expiry)
        try await session.login(Reader(name: "Ada"), credentials: credentials)
    }

    private func repository(
        _ session: SessionManager<Reader>,
        _ executor: any RequestExecutor
    ) -> ReaderRepository {
        let configuration = NetworkingConfiguration.test {
            $0.time = clock
            $0.observer = events
        }
        return ReaderRepository(configuration: configuration, session: session, executor: executor)
    }

    /// A token endpoint in trouble, which takes one request for each step of the gate.
    private func logins(_ trouble: RenewalTrouble, _ server: ScriptedServer) -> ClosureExecutor {
        let number = Lock(0)
        return ClosureExecutor { [gate] (request) throws(RepositoryError) in
            let own = number.withLock { number in
                number += 1
                return number
            }
            _ = try? await gate.reach(own)
            return try await trouble.answer(request, server)
        }
    }

    private func refresher(_ logins: ClosureExecutor) -> OAuth2Refresher {
        OAuth2Refresher(configuration: .test(), path: "token", clientID: "app", executor: logins)
    }

    /// Ten calls, when all of them wait.
    private func waitingCalls(
        _ repository: ReaderRepository
    ) async -> [Task<Result<String, RepositoryError>, Never>] {
        let before = events.renewing
        let calls = (0..<10).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == before + 10 }
        return calls
    }

    /// That all calls came to the same, and the session to what it should.
    private func expectOutcome(
        of calls: [Task<Result<String, RepositoryError>, Never>],
        _ session: SessionManager<Reader>,
        _ trouble: RenewalTrouble,
        _ setting: FailedRenewal
    ) async throws {
        var errors: Set<String> = []
        for call in calls {
            let error = try #require(await call.value.failure)
            #expect(error.label == (trouble.ends(setting) ? "unauthenticatedSession" : trouble.label))
            if case .unauthenticatedSession(let refusal) = error { #expect(refusal.status == 401) }
            errors.insert("\(error)")
        }
        #expect(errors.count == 1)
        #expect(session.isLoggedIn == !trouble.ends(setting))
        #expect("\(session.state)" == (trouble.ends(setting) ? "expired" : "logged in"))
        #expect(session.sessionToken == (trouble.ends(setting) ? nil : "old"))
    }

    @Test(
        "fails all calls once and alike, ends the session once or not at all, and has nothing sent again",
        arguments: RenewalTrouble.all,
        [FailedRenewal.endsSession, .keepsSession]
    )
    func afterRefusals(trouble: RenewalTrouble, setting: FailedRenewal) async throws {
        let server = try trouble.server()
        defer { server.stop() }
        let logins = logins(trouble, server)
        let session = try await session(refresher(logins), setting)
        var changes = session.changes.makeAsyncIterator()
        #expect(await changes.next()?.isLoggedIn(Reader(name: "Ada")) == true)
        let executor = ClosureExecutor { _ in .answer(401, body: "stale") }
        let repository = repository(session, executor)
        let calls = await waitingCalls(repository)
        gate.change(by: 1)
        if trouble.isHang {
            _ = try await server.request(0)
            try await clock.sleepers(count: 1)
            clock.advance(by: .seconds(29))
            #expect(session.isLoggedIn)
            clock.advance(by: .seconds(1))
        }
        try await expectOutcome(of: calls, session, trouble, setting)
        #expect(logins.requests.count == 1 && executor.requests.count == 10)
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == "Bearer old" })

        if trouble.ends(setting) {
            #expect(await changes.next()?.description == "expired")
            #expect(await repository.text("later").failure?.label == "unauthenticatedSession")
            #expect(logins.requests.count == 1 && executor.requests.count == 10)
            await until { store.log.count == 2 }
            // Nothing more was told of than the one end.
            try await logIn(session)
            #expect(await changes.next()?.isLoggedIn(Reader(name: "Ada")) == true)
            #expect(store.log == ["save old", "remove", "save old"])
        } else {
            #expect(await repository.text("soon").failure?.label == trouble.label)
            #expect(logins.requests.count == 1, "who is in trouble is left alone for a moment")
            clock.advance(by: .seconds(1))
            let next = Task { await repository.text("next") }
            await until { events.renewing == 12 }
            gate.change(by: 1)
            if trouble.isHang { clock.advance(by: .seconds(29)) }
            #expect(await next.value.failure?.label == trouble.label)
            #expect(logins.requests.count == (trouble.isHang ? 1 : 2))
            #expect(session.isLoggedIn && store.log == ["save old"])
        }
    }

    @Test(
        "before the token's end leaves it in use unless it is a refusal; after the end it is as after a refusal",
        arguments: RenewalTrouble.all,
        [FailedRenewal.endsSession, .keepsSession]
    )
    func beforeTheEnd(trouble: RenewalTrouble, setting: FailedRenewal) async throws {
        let server = try trouble.server()
        defer { server.stop() }
        let logins = logins(trouble, server)
        let session = try await session(refresher(logins), setting)
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let repository = repository(session, executor)
        clock.advance(by: .seconds(590))
        gate.change(by: 1)
        #expect(try await repository.text().get() == "Bearer old")
        await until { logins.requests.count == 1 }
        if trouble.isHang {
            _ = try await server.request(0)
        } else {
            await until { clock.nextDeadline == nil }
        }
        guard trouble.consequence != .always else {
            #expect("\(session.state)" == "expired")
            await until { store.log == ["save old", "remove"] }
            return
        }
        #expect(session.isLoggedIn && store.log == ["save old"])
        #expect(try await repository.text().get() == "Bearer old")
        #expect(logins.requests.count == 1)

        clock.advance(by: .seconds(10))
        let calls = await waitingCalls(repository)
        gate.change(by: 1)
        if trouble.isHang { clock.advance(by: .seconds(20)) }
        try await expectOutcome(of: calls, session, trouble, setting)
        #expect(logins.requests.count == (trouble.isHang ? 1 : 2))
        #expect(executor.requests.count == 2)
        if trouble.ends(setting) {
            await until { store.log.count == 2 }
            #expect(store.log == ["save old", "remove"])
        }
    }

    @Test("is that of a call that comes a moment later with a token that has ended", arguments: [500, 0])
    func momentLater(status: Int) async throws {
        let held = HeldRefresher()
        let session = try await session(held, .endsSession)
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let repository = repository(session, executor)
        clock.advance(by: .milliseconds(599_500))
        #expect(try await repository.text().get() == "Bearer old")
        try await held.calls(1)
        try await clock.sleepers(count: 1)
        let refusal = ResponseError(status: 500)
        held.answer(.failure(.failed(status == 0 ? .dns(host: "h") : .requestError(refusal))))
        await until { clock.nextDeadline == nil }
        #expect(session.isLoggedIn)
        clock.advance(by: .milliseconds(500))
        let label = await repository.text("late").failure?.label
        #expect(label == (status == 0 ? "dns" : "unauthenticatedSession"))
        #expect(session.isLoggedIn == (status == 0))
        #expect(held.asked.count == 1 && executor.requests.count == 1)
    }
}
