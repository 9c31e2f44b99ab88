import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A session's start", .timeLimit(.minutes(1)))
struct SessionStartTests {
    private let ada = Reader(name: "Ada", token: "a")

    @Test("takes up the token from the store and asks for its user, once")
    func bootstraps() async throws {
        let store = RecordingStore(SessionCredentials(accessToken: "kept"))
        let session = SessionManager<Reader>(store: store)
        let executor = ClosureExecutor(answers: [.answer(200, body: #"{"name": "Ada"}"#)])
        let readers = ReaderRepository(configuration: .test(), session: session, executor: executor)
        #expect("\(session.state)" == "unknown" && !session.isLoggedIn)

        let state = try await session.bootstrap(readers)
        try await session.bootstrap(readers)

        #expect(state.isLoggedIn(Reader(name: "Ada")))
        #expect(session.isLoggedIn && session.currentUser?.name == "Ada" && session.sessionToken?.value == "kept")
        #expect(executor.requests.map { $0.headers["Authorization"] } == ["Bearer kept"])
        #expect(store.log == ["load"])
    }

    @Test("is logged out where the store has no token, and asks nobody")
    func bootstrapsWithoutToken() async throws {
        for credentials in [nil, SessionCredentials(accessToken: "")] {
            let session = SessionManager<Reader>(store: RecordingStore(credentials))
            let state = try await session.bootstrap(LateFetcher(outcome: .success(ada)))
            #expect("\(state)" == "logged out" && !session.isLoggedIn)
        }
    }

    @Test("keeps the token and has no user while the server cannot be reached, and asks again when it is told to")
    func bootstrapsOffline() async throws {
        let store = RecordingStore(SessionCredentials(accessToken: "kept"))
        let session = SessionManager<Reader>(store: store)
        for error in [
            RepositoryError.noNetworkConnection, .timeout(.connect), .requestError(ResponseError(status: 503)),
        ] {
            let state = try await session.bootstrap(LateFetcher(outcome: .failure(error)))
            #expect(state.isLoggedIn(nil))
            #expect(session.isLoggedIn && session.currentUser == nil)
        }
        #expect(store.credentials?.accessToken == "kept")

        #expect(try await session.bootstrap(LateFetcher(outcome: .success(ada))).isLoggedIn(ada))
    }

    @Test("expires when the server refuses the token at the start", arguments: [true, false])
    func bootstrapsRefused(byRepository: Bool) async throws {
        let store = RecordingStore(SessionCredentials(accessToken: "kept"))
        let session = SessionManager<Reader>(store: store)
        let executor = ClosureExecutor(answers: [.answer(401)])
        let state =
            if byRepository {
                try await session.bootstrap(
                    ReaderRepository(configuration: .test(), session: session, executor: executor)
                )
            } else {
                try await session.bootstrap(LateFetcher(outcome: .failure(.requestError(ResponseError(status: 401)))))
            }

        #expect("\(state)" == "expired" && session.sessionToken == nil)
        await until { store.log.count == 2 }
        #expect(store.credentials == nil && store.log == ["load", "remove"])
    }

    @Test("does not know its state while the store cannot be read, and reads again")
    func storeUnreadable() async throws {
        let store = RecordingStore(SessionCredentials(accessToken: "kept"))
        store.fail(with: .wrongKey)
        let session = SessionManager<Reader>(store: store)

        #expect(
            await sessionError { () throws(SessionError) in
                try await session.bootstrap(LateFetcher(outcome: .success(ada)))
            } == .store(.wrongKey)
        )
        #expect("\(session.state)" == "unknown")

        store.fail(with: nil)
        #expect(try await session.bootstrap(LateFetcher(outcome: .success(ada))).isLoggedIn(ada))
    }

    @Test("lets a login and a logout win over the start that is under way")
    func loginWins() async throws {
        for logsOut in [false, true] {
            let store = RecordingStore(SessionCredentials(accessToken: "kept"), isClosed: true)
            let session = SessionManager<Reader>(store: store)
            let start = Task { try await session.bootstrap(LateFetcher(outcome: .success(Reader(name: "Old")))) }
            _ = try await store.arrivals.reach(1)
            let transition = Task { if logsOut { try await session.logout() } else { try await session.login(ada) } }
            await until { "\(session.state)" != "unknown" }
            store.gate.change(by: 1)

            _ = try await start.value
            try await transition.value
            #expect(session.sessionToken == (logsOut ? nil : "a"))
            #expect(session.currentUser == (logsOut ? nil : ada))
            #expect(store.log == ["load", logsOut ? "remove" : "save a"])
        }
    }

    @Test("lets the user of a login or an update win over the one that the start asked for", arguments: [false, true])
    func userWins(byLogin: Bool) async throws {
        let kept = SessionCredentials(accessToken: "a", refreshToken: "r")
        let session = SessionManager<Reader>(store: RecordingStore(kept))
        let fetcher = LateFetcher(outcome: .success(Reader(name: "Old"))) {
            if byLogin { try await session.login(ada) } else { try await session.update(ada) }
        }
        let state = try await session.bootstrap(fetcher)
        #expect(state.isLoggedIn(ada) && session.currentUser == ada)
        #expect(session.credentials == kept)
    }

    @Test("lets credentials that the app gives meanwhile win over a refusal at the start", arguments: [false, true])
    func credentialsWin(asRepository: Bool) async throws {
        let session = SessionManager<Reader>(store: RecordingStore(SessionCredentials(accessToken: "kept")))
        let other = SessionCredentials(accessToken: "b", refreshToken: "r")
        let refusal = ResponseError(status: 401)
        let error: RepositoryError = asRepository ? .unauthenticatedSession(refusal) : .requestError(refusal)
        let state = try await session.bootstrap(
            LateFetcher(outcome: .failure(error)) { try await session.update(ada, credentials: other) }
        )
        #expect(state.isLoggedIn(ada) && session.credentials == other)

        // Only the user: it is the present token that was refused.
        let same = SessionManager<Reader>(store: RecordingStore(SessionCredentials(accessToken: "kept")))
        let ended = try await same.bootstrap(
            LateFetcher(outcome: .failure(error)) { try await same.update(ada) }
        )
        #expect("\(ended)" == "expired")
    }

    private struct Renewing: TokenRefresher {
        func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
            SessionCredentials(accessToken: "new", refreshToken: "r")
        }
    }

    @Test("expires when the server refuses what a renewal brought at the start")
    func renewedIsRefused() async throws {
        let kept = SessionCredentials(accessToken: "kept", refreshToken: "r")
        let session = SessionManager<Reader>(store: RecordingStore(kept), refresher: Renewing())
        let executor = ClosureExecutor { _ in .answer(401) }
        let readers = ReaderRepository(configuration: .test(), session: session, executor: executor)
        let state = try await session.bootstrap(readers)
        #expect("\(state)" == "expired")
        #expect(executor.requests.map { $0.headers["Authorization"] } == ["Bearer kept", "Bearer new"])
    }

    @Test("does not take a refusal of the token before a renewal for one of the token after it")
    func renewedMeanwhile() async throws {
        let kept = SessionCredentials(accessToken: "kept", refreshToken: "r")
        let session = SessionManager<Reader>(store: RecordingStore(kept), refresher: Renewing())
        let executor = ClosureExecutor { $0.headers["Authorization"] == "Bearer new" ? .answer(200) : .answer(401) }
        let repository = ReaderRepository(configuration: .test(), session: session, executor: executor)
        // It asks by itself, with the token of before.
        let fetcher = LateFetcher(outcome: .failure(.requestError(ResponseError(status: 401)))) {
            _ = try await repository.text().get()
        }
        #expect(try await session.bootstrap(fetcher).isLoggedIn(nil) && session.sessionToken == "new")
    }
}
