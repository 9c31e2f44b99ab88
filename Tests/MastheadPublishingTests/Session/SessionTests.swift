import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

/// The repositories of a publisher, with a session.
struct SessionTests {
    private struct Reader: AuthenticableUser {}

    private let session = SessionManager<Reader>(store: InMemoryTokenStore())

    private func logIn() async throws {
        try await session.login(Reader(), credentials: SessionCredentials(accessToken: "reader"))
    }

    private static let volume = #"{"volumes":[{"id":"v1","title":"V"}]}"#

    @Test("sends the session's token in the place of the client key, to every page and in every repository")
    func catalogue() async throws {
        let server = try ScriptedServer { request in
            request.target.contains("page=2") ? .json(#"{"volumes":[]}"#) : .json(Self.volume)
        }
        defer { server.stop() }
        let configuration = server.catalogue {
            $0.authorization = .clientKey()
            $0.clientKey = nil
        }
        try await logIn()
        for try await _ in VolumeRepository(configuration: configuration, session: session).all(limit: 1) {}
        _ = await IssueRepository(configuration: configuration, session: session).issues()
        _ = await ArticleRepository(configuration: configuration, session: session).articles()
        _ = await AssetRepository(configuration: configuration, session: session).asset("a1")

        #expect(server.requests.count == 5)
        #expect(
            server.requests.allSatisfy { $0.headers.values(of: "Authorization") == ["method=clientkey,token=reader"] }
        )
    }

    @Test("sends both where the session's has a field of its own")
    func bothFields() async throws {
        let server = try ScriptedServer(.json(Self.volume))
        defer { server.stop() }
        let configuration = server.catalogue {
            $0.authorization = .custom(field: "X-Reader") { $0.value }
            $0.clientKey = "key"
        }
        try await logIn()
        _ = try await VolumeRepository(configuration: configuration, session: session).volumes().get()

        let request = try await server.request(0)
        #expect(request.headers["Authorization"] == "method=clientkey,token=key")
        #expect(request.headers["X-Reader"] == "reader")
    }

    @Test("asks nobody without the session, signed or not")
    func loggedOut() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let purchases = PurchaseRepository(configuration: server.catalogue(), sharedSecret: "s", session: session)
        let volumes = VolumeRepository(configuration: server.catalogue(), session: session)
        guard case .failure(.unauthenticatedSession) = await purchases.skus(forEmail: "a@b.example"),
            case .failure(.unauthenticatedSession) = await volumes.volumes()
        else {
            Testing.Issue.record("expected a session to be required")
            return
        }
        #expect(server.requests.isEmpty)

        try await logIn()
        _ = try await purchases.skus(forEmail: "a@b.example").get()
        let request = try await server.request(0)
        #expect(request.headers["Authorization"] == "Bearer reader" && request.headers["X-Serial-MD5"] != nil)
    }
}
