import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// Parts of downloads that were broken off, and in which session they are gone on with.
@Suite("A part of a download and the session", .timeLimit(.minutes(1)))
struct SessionPartTests {
    private let folder: TestFolder
    private let server: ScriptedServer
    private let store = InMemoryTokenStore()

    init() throws {
        folder = try TestFolder()
        server = try ScriptedServer()
        server.answer(Self.whole("Ada's file").cut(afterBodyBytes: 4))
    }

    /// The same entity tag for everybody, as a careless server gives it.
    private static func whole(_ text: String) -> ScriptedServer.Answer {
        .data(Data(text.utf8)).adding(#""v1""#, for: "ETag")
    }

    private static let rest = ScriptedServer.Answer.data(Data("s file".utf8), status: 206).adding(#""v1""#, for: "ETag")
        .adding("bytes 4-9/10", for: "Content-Range")

    private func download(_ session: (any RepositorySession)?) async -> Result<DownloadedFile, RepositoryError> {
        await AbstractRepository(configuration: server.configuration(), session: session)
            .download(.get("file"), to: folder.path("file"))
    }

    /// Logs in, and has a download broken off.
    private func begin(_ session: SessionManager<Reader>, _ token: String = "ada") async throws {
        try await session.login(Reader(name: token, token: token))
        try await breakOff(session)
    }

    private func breakOff(_ session: (any RepositorySession)?) async throws {
        #expect(await download(session).failure?.label == "incompleteBody")
        #expect(folder.names == ["file.part", "file.part.json"])
    }

    private func expectResumed(_ session: (any RepositorySession)?) async throws {
        server.answer(Self.rest)
        #expect(try await download(session).get().resumedFrom == 4)
        #expect(folder.content("file") == Data("Ada's file".utf8))
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=4-"])
    }

    private func expectAnew(_ session: (any RepositorySession)?) async throws {
        server.answer(Self.whole("Bob's file"))
        #expect(try await download(session).get().resumedFrom == 0)
        #expect(folder.content("file") == Data("Bob's file".utf8) && folder.names == ["file"])
        #expect(server.requests.map { $0.headers["Range"] } == [nil, nil])
    }

    @Test("is not gone on with in the next user's session, nor by the same user who logs in again")
    func nextLogin() async throws {
        let session = SessionManager<Reader>(store: store)
        try await begin(session)
        try await session.logout()
        try await session.login(Reader(name: "ada", token: "ada"))
        try await expectAnew(session)
        server.stop()
    }

    @Test("is not gone on with in the next user's session after new starts of the app")
    func nextLoginLater() async throws {
        try await begin(SessionManager(store: store))
        let second = SessionManager<Reader>(store: store)
        try await second.bootstrap(LateFetcher(outcome: .success(Reader(name: "ada"))))
        try await second.logout()
        try await second.login(Reader(name: "bob", token: "bob"))
        let third = SessionManager<Reader>(store: store)
        try await third.bootstrap(LateFetcher(outcome: .success(Reader(name: "bob"))))
        #expect(third.sessionToken == "bob")
        try await expectAnew(third)
        server.stop()
    }

    @Test(
        "is gone on with in the same session after a new start of the app, and with a new token",
        arguments: [false, true]
    )
    func sameLogin(isRenewed: Bool) async throws {
        let session = SessionManager<Reader>(store: store)
        try await begin(session)
        if isRenewed {
            try await session.update(Reader(name: "ada"), credentials: SessionCredentials(accessToken: "new"))
        }
        let later = SessionManager<Reader>(store: store)
        try await later.bootstrap(LateFetcher(outcome: .failure(.noNetworkConnection)))
        try await expectResumed(later)
        server.stop()
    }

    @Test("is gone on with after a renewal")
    func renewal() async throws {
        struct Renewing: TokenRefresher {
            func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
                SessionCredentials(accessToken: "new")
            }
        }
        let session = SessionManager<Reader>(store: store, refresher: Renewing())
        try await begin(session)
        server.answer(.status(401), Self.rest)
        #expect(try await download(session).get().resumedFrom == 4)
        #expect(folder.content("file") == Data("Ada's file".utf8))
        #expect(session.sessionToken == "new")
        server.stop()
    }

    @Test("of a call without a session is not gone on with in one, nor the other way round", arguments: [false, true])
    func nobodys(beginsWithSession: Bool) async throws {
        let session = SessionManager<Reader>(store: store)
        try await session.login(Reader(name: "ada", token: "ada"))
        try await breakOff(beginsWithSession ? session : nil)
        try await expectAnew(beginsWithSession ? nil : session)
        server.stop()
    }

    @Test("is gone before the next user's answer comes")
    func removedAtOnce() async throws {
        let session = SessionManager<Reader>(store: store)
        try await begin(session)
        try await session.logout()
        try await session.login(Reader(name: "bob", token: "bob"))
        server.answer(.status(404))
        #expect(await download(session).failure?.label == "requestError")
        #expect(folder.names.isEmpty)
        server.stop()
    }

    @Test("is removed when the end of the session ends the download")
    func endsWithSession() async throws {
        let session = SessionManager<Reader>(store: store)
        try await begin(session)
        let gate = ScriptedServer.Gate()
        server.answer(Self.rest.held(until: gate, afterBodyBytes: 2))
        let call = Task { await download(session) }
        try await gate.waiters(count: 1)
        try await session.logout()
        gate.open()
        #expect(await call.value.failure?.label == "unauthenticatedSession")
        #expect(folder.names.isEmpty)
        server.stop()
    }

    private struct Kiosk: RepositorySession {
        let grant: SessionGrant?
        let partition: SessionPartition?

        init(_ session: Int, _ secret: Secret? = nil) {
            grant = SessionGrant(token: "kiosk", session: session, generation: session)
            partition = secret.map { SessionPartition(secret: $0) }
        }

        func renewal(
            of grant: SessionGrant,
            isRefused: Bool,
            by deadline: Duration?,
            on time: any TimeSource
        ) async -> SessionRenewal { .refused }
    }

    @Test("belongs to the number of an app's own session in this run, or to its partition")
    func ownSessions() async throws {
        try await breakOff(Kiosk(1))
        try await expectResumed(Kiosk(1))
        for (first, second) in [(Kiosk(1), Kiosk(2)), (Kiosk(1, "a"), Kiosk(1, "b")), (Kiosk(1, "a"), Kiosk(1))] {
            let other = try SessionPartTests()
            try await other.breakOff(first)
            try await other.expectAnew(second)
            other.server.stop()
        }
        let named = try SessionPartTests()
        try await named.breakOff(Kiosk(1, "a"))
        try await named.expectResumed(Kiosk(7, "a"))
        named.server.stop()
        server.stop()
    }
}
