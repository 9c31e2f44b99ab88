import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// A session of an app that wants it over whenever its token cannot be renewed.
@Suite("A renewal whose failure ends the session", .timeLimit(.minutes(1)))
struct FailedRenewalTests {
    private let clock = ManualClock()
    private let events = EventLog()
    private let store = RecordingStore()
    private let refresher = HeldRefresher()

    private func session(_ refresher: (any TokenRefresher)? = nil) async throws -> SessionManager<Reader> {
        let session = SessionManager<Reader>(
            store: store,
            refresher: refresher ?? self.refresher,
            failedRenewal: .endsSession,
            time: clock
        )
        let expiry = clock.date + 600
        let credentials = SessionCredentials(accessToken: "old", refreshToken: "again", expiry: expiry)
        try await session.login(Reader(name: "Ada"), credentials: credentials)
        return session
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

    private static var refusing: ClosureExecutor { ClosureExecutor { _ in .answer(401, body: "stale") } }

    /// That all calls ended in the end of the session, which was once, and that nothing was sent again.
    private func expectEnd(
        of session: SessionManager<Reader>,
        _ calls: [Task<Result<String, RepositoryError>, Never>],
        _ executor: ClosureExecutor
    ) async {
        for call in calls {
            guard case .unauthenticatedSession(let refusal) = await call.value.failure else {
                Issue.record("expected the end of the session")
                return
            }
            #expect(refusal.status == 401)
        }
        #expect("\(session.state)" == "expired" && session.credentials == nil)
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == "Bearer old" })
        #expect(executor.requests.count == calls.count)
        await until { store.log.count == 2 }
        #expect(store.log == ["save old", "remove"])
    }

    @Test("case 17: one that hangs fails every call once and expires the session once, when its time is over")
    func hangs() async throws {
        let executor = Self.refusing
        let session = try await session()
        var changes = session.changes.makeAsyncIterator()
        #expect(await changes.next()?.isLoggedIn(Reader(name: "Ada")) == true)
        let repository = repository(session, executor)
        let calls = (0..<50).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == 50 }
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(29))
        #expect(session.isLoggedIn)
        clock.advance(by: .seconds(1))

        await expectEnd(of: session, calls, executor)
        #expect(await changes.next()?.description == "expired")
        try await refresher.cancelled(1)
        #expect(refresher.asked.count == 1)
        #expect(await repository.text("later").failure?.label == "unauthenticatedSession")
        #expect(executor.requests.count == 50)
    }

    @Test("case 17: one that the token endpoint answers with 500, or not at all, does the same", arguments: [500, 0])
    func fails(status: Int) async throws {
        let gate = Milestones()
        let logins = ClosureExecutor { (_) throws(RepositoryError) in
            _ = try? await gate.reach(1)
            if status == 0 { throw .timeout(.total) }
            return .answer(status)
        }
        let refresher = OAuth2Refresher(configuration: .test(), path: "token", clientID: "app", executor: logins)
        let session = try await session(refresher)
        let executor = Self.refusing
        let repository = repository(session, executor)
        let calls = (0..<10).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == 10 }
        gate.change(by: 1)

        await expectEnd(of: session, calls, executor)
        #expect(logins.requests.count == 1)
    }

    @Test("case 17: one that brings an empty token does the same")
    func empty() async throws {
        let session = try await session()
        let executor = Self.refusing
        let repository = repository(session, executor)
        let calls = (0..<3).map { number in Task { await repository.text("\(number)") } }
        await until { events.renewing == 3 }
        try await refresher.calls(1)
        refresher.answer("")
        await expectEnd(of: session, calls, executor)
    }

    @Test("ends nothing while the token holds and nobody waits")
    func holds() async throws {
        let executor = ClosureExecutor { .answer(200, body: $0.headers["Authorization"] ?? "") }
        let session = try await session()
        let repository = repository(session, executor)
        clock.advance(by: .seconds(590))
        #expect(try await repository.text().get() == "Bearer old")
        try await refresher.calls(1)
        try await clock.sleepers(count: 1)
        refresher.answer(.failure(.failed(.dns(host: "h"))))
        await until { clock.nextDeadline == nil }
        #expect(session.isLoggedIn && store.log == ["save old"])
        #expect(try await repository.text().get() == "Bearer old")

        // After its end somebody waits.
        clock.advance(by: .seconds(10))
        let late = Task { await repository.text("late") }
        try await refresher.calls(2)
        refresher.answer(.failure(.failed(.dns(host: "h"))))
        #expect(await late.value.failure?.label == "unauthenticatedSession")
        #expect("\(session.state)" == "expired")
    }
}
