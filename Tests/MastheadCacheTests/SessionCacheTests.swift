import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A session manager with a cache", .timeLimit(.minutes(1)))
struct SessionCacheTests {
    struct Reader: AuthenticableUser {
        let name: String
    }

    struct Fetcher: CurrentUserFetcher {
        let result: Result<Reader, RepositoryError>
        func currentUser() async -> Result<Reader, RepositoryError> { result }
    }

    private let folder: CacheFolder
    private let store = InMemoryTokenStore()

    init() throws {
        folder = try CacheFolder()
    }

    private func manager(_ cache: ModelCache) -> SessionManager<Reader> {
        SessionManager(store: store, cache: cache)
    }

    private func logIn(_ session: SessionManager<Reader>, _ name: String = "ada") async throws {
        try await session.login(Reader(name: name), credentials: SessionCredentials(accessToken: Secret("t-\(name)")))
    }

    @Test("what was kept for a session is there after the app's next start, offline")
    func restart() async throws {
        let session = manager(folder.cache)
        try await logIn(session)
        try await folder.partition(session).set(Bookmark(id: "b-7"), for: "b-7")
        try await folder.cache.close()

        let again = folder.restarted()
        let next = manager(again.cache)
        try await next.bootstrap(Fetcher(result: .failure(.noNetworkConnection)))
        #expect(next.partition == session.partition)
        #expect(
            await again.cache.partition(for: CacheFolder.configuration, session: next)?.value(for: "b-7")
                == Bookmark(id: "b-7")
        )
    }

    @Test("logout takes the user's memory at once and their files before it returns; nobody else's")
    func logout() async throws {
        let shared = try folder.partition()
        try await shared.set(Bookmark(id: "everybody's"), for: "b")
        let session = manager(folder.cache)
        try await logIn(session)
        let partition = try folder.partition(session)
        try await partition.set(Bookmark(id: "ada's"), for: "b")
        try await partition.flush()
        let name = try #require(session.partition?.name)
        #expect(folder.files.contains { $0.contains(name) })

        try await session.logout()
        #expect(session.partition == nil)
        #expect(!folder.files.contains { $0.contains(name) })
        #expect(await partition.value(Bookmark.self, for: "b") == nil)
        #expect(await shared.value(Bookmark.self, for: "b")?.id == "everybody's")

        try await logIn(session)
        #expect(session.partition?.name != name)
        #expect(
            await folder.cache.partition(for: CacheFolder.configuration, session: session)?.value(
                Bookmark.self,
                for: "b"
            ) == nil
        )
    }

    @Test("a logout before the first look into the store removes what an earlier run kept")
    func earlyLogout() async throws {
        let session = manager(folder.cache)
        try await logIn(session)
        try await folder.partition(session).set(Bookmark(id: "b-7"), for: "b-7")
        let name = try #require(session.partition?.name)
        try await folder.cache.close()
        #expect(folder.files.contains { $0.contains(name) })

        try await manager(folder.restarted().cache).logout()
        #expect(!folder.files.contains { $0.contains(name) })
    }

    @Test("a login over an earlier run's session takes that one's files")
    func loginOverEarlier() async throws {
        let session = manager(folder.cache)
        try await logIn(session)
        try await folder.partition(session).set(Bookmark(id: "b-7"), for: "b-7")
        let name = try #require(session.partition?.name)
        try await folder.cache.close()

        let next = manager(folder.restarted().cache)
        try await logIn(next, "bob")
        #expect(!folder.files.contains { $0.contains(name) })
    }

    @Test("a session that the server ends takes its files too, and one whose token is renewed keeps them")
    func expiry() async throws {
        let session = manager(folder.cache)
        try await logIn(session)
        let name = try #require(session.partition?.name)
        try await folder.partition(session).set(Bookmark(id: "b-7"), for: "b-7")
        try await session.update(Reader(name: "ada"), credentials: SessionCredentials(accessToken: "another"))
        #expect(session.partition?.name == name)
        #expect(session.credentials?.accessToken == "another")
        try await folder.partition(session).flush()
        #expect(folder.files.contains { $0.contains(name) })
        try await session.expire()
        #expect(!folder.files.contains { $0.contains(name) })
    }

    @Test("the credentials' form has the partition's secret, and no description shows it")
    func secrets() async throws {
        let session = manager(folder.cache)
        try await logIn(session)
        let credentials = try #require(await store.load())
        let json = String(decoding: try JSONEncoder().encode(credentials), as: UTF8.self)
        #expect(json.contains("partition"))
        #expect(try JSONDecoder().decode(SessionCredentials.self, from: Data(json.utf8)) == credentials)
        let shown =
            "\(session) \(credentials) \(String(reflecting: credentials)) \(String(describing: session.partition))"
        var dumped = ""
        dump(credentials, to: &dumped)
        dump(session.partition, to: &dumped)
        let secret = try #require(json.firstMatch(of: /"partition":"([0-9a-f]+)"/)?.output.1)
        #expect(!(shown + dumped).contains(secret))
    }
}
