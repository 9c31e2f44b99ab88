import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A session's transition that is cancelled", .timeLimit(.minutes(1)))
struct SessionCancellationTests {
    private let ada = Reader(name: "Ada", token: "a")

    /// A store that does not answer before it is told to, cancelled or not.
    private final class DeafStore: TokenStore {
        let arrivals = Milestones()
        let gate = Milestones()
        let ends = Milestones()
        let cancellations = Milestones()
        let log = Lock<[String]>([])
        /// What it is deaf to.
        let isDeafToLoads: Bool

        init(isDeafToLoads: Bool = true) {
            self.isDeafToLoads = isDeafToLoads
        }

        private func wait(_ name: String, _ isDeaf: Bool) async {
            log.withLock { $0.append(name) }
            guard isDeaf else { return }
            arrivals.change(by: 1)
            await withTaskCancellationHandler {
                await Task { [gate] in _ = try? await gate.reach(1) }.value
            } onCancel: {
                cancellations.change(by: 1)
            }
            ends.change(by: 1)
        }

        func load() async throws(TokenStoreError) -> SessionCredentials? {
            await wait("load", isDeafToLoads)
            return SessionCredentials(accessToken: "kept")
        }

        func save(_ credentials: SessionCredentials) async throws(TokenStoreError) {
            await wait("save \(credentials.accessToken.value)", !isDeafToLoads)
            if credentials.accessToken == "bad" { throw .inaccessible(reason: "full") }
        }

        func remove() async throws(TokenStoreError) { await wait("remove", !isDeafToLoads) }
    }

    @Test("a start that is cancelled waits no longer for the store, and a later one reads again")
    func startIsCancelled() async throws {
        let store = DeafStore()
        let session = SessionManager<Reader>(store: store)
        let fetcher = LateFetcher(outcome: .success(ada))
        let start = Task { await sessionError { () throws(SessionError) in try await session.bootstrap(fetcher) } }
        _ = try await store.arrivals.reach(1)
        start.cancel()
        #expect(await start.value == .cancelled)
        // The store is told, since nobody waits for it.
        _ = try await store.cancellations.reach(1)
        #expect("\(session.state)" == "unknown")

        let later = Task { try await session.bootstrap(fetcher) }
        _ = try await store.arrivals.reach(2)
        store.gate.change(by: 1)
        #expect(try await later.value.isLoggedIn(ada))
        #expect(session.sessionToken == "kept" && store.log.withLock { $0 } == ["load", "load"])
    }

    @Test("a start of two that wait is cancelled, and the other gets what the store has")
    func oneOfTwoStarts() async throws {
        let store = DeafStore()
        let session = SessionManager<Reader>(store: store)
        let fetcher = LateFetcher(outcome: .success(ada))
        let first = Task { try await session.bootstrap(fetcher) }
        _ = try await store.arrivals.reach(1)
        let second = Task {
            await sessionError { () throws(SessionError) in try await session.bootstrap(fetcher) }
        }
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(store.cancellations.count == 0)
        store.gate.change(by: 1)
        #expect(try await first.value.isLoggedIn(ada))
        #expect(store.log.withLock { $0 } == ["load"])
    }

    @Test("a login and a logout do not wait for a start that was given up", arguments: [false, true])
    func afterTheStart(logsOut: Bool) async throws {
        let store = DeafStore()
        let session = SessionManager<Reader>(store: store)
        let start = Task {
            await sessionError { () throws(SessionError) in
                try await session.bootstrap(LateFetcher(outcome: .success(Reader(name: "Old"))))
            }
        }
        _ = try await store.arrivals.reach(1)
        start.cancel()
        #expect(await start.value == .cancelled)
        if logsOut { try await session.logout() } else { try await session.login(ada) }
        #expect(store.log.withLock { $0 } == ["load", logsOut ? "remove" : "save a"])

        // What the store has to say at last is nobody's.
        store.gate.change(by: 1)
        _ = try await store.ends.reach(1)
        #expect(session.sessionToken == (logsOut ? nil : "a"))
    }

    @Test("a login or a logout that is cancelled is made all the same, and kept")
    func cancelledTransitions() async throws {
        let store = DeafStore(isDeafToLoads: false)
        let failures = Lock<[TokenStoreError]>([])
        let session = SessionManager<Reader>(store: store) { error in failures.withLock { $0.append(error) } }
        let login = Task {
            await sessionError { () throws(SessionError) in try await session.login(Reader(name: "A", token: "bad")) }
        }
        _ = try await store.arrivals.reach(1)
        login.cancel()
        #expect(await login.value == .cancelled)
        #expect(session.sessionToken == "bad")
        let logout = Task { await sessionError { () throws(SessionError) in try await session.logout() } }
        logout.cancel()
        #expect(await logout.value == .cancelled)
        #expect("\(session.state)" == "logged out")
        #expect(store.log.withLock { $0 } == ["save bad"], "one thing at a time")

        store.gate.change(by: 1)
        _ = try await store.ends.reach(2)
        #expect(store.log.withLock { $0 } == ["save bad", "remove"] && store.cancellations.count == 0)
        // Nobody else is there to be told.
        await until { failures.withLock { $0.count } == 1 }
        #expect(failures.withLock { $0 } == [.inaccessible(reason: "full")])
    }
}
