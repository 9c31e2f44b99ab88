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

    private static func page(_ ids: ClosedRange<Int>) -> ScriptedServer.Answer {
        let volumes = ids.map { #"{"id":"v\#($0)","title":"V"}"# }
        return .json(#"{"volumes":[\#(volumes.joined(separator: ","))]}"#)
    }

    private func failure(_ work: () async throws(RepositoryError) -> Void) async -> RepositoryError? {
        do throws(RepositoryError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "reads no list on in the next user's session, neither what is asked for nor what is there",
        arguments: [1, 2]
    )
    func nextUser(limit: Int) async throws {
        let server = try ScriptedServer(Self.page(1...limit), Self.page(3...4), Self.page(5...5))
        defer { server.stop() }
        let configuration = server.catalogue { $0.authorization = .clientKey() }
        let volumes = VolumeRepository(configuration: configuration, session: session)
        try await logIn()
        var iterator = volumes.all(limit: limit).makeAsyncIterator()
        #expect(try await iterator.next()?.id.rawValue == "v1")
        try await session.logout()
        try await session.login(Reader(), credentials: SessionCredentials(accessToken: "another"))

        let error = await failure { () throws(RepositoryError) in _ = try await iterator.next() }
        #expect(error?.label == "unauthenticatedSession")
        #expect(try await iterator.next() == nil, "it is over")
        #expect(server.requests.count == 1)
        // Another iteration is that user's.
        var ids: [String] = []
        for try await volume in volumes.all(limit: 2) { ids.append(volume.id.rawValue) }
        #expect(ids == ["v3", "v4", "v5"])
        let tokens = server.requests.map { $0.headers["Authorization"]?.split(separator: "=").last }
        #expect(tokens == ["reader", "another", "another"])
    }

    @Test("reads no page on in the next user's session")
    func nextUserOfPages() async throws {
        let server = try ScriptedServer(Self.page(1...1), Self.page(2...2))
        defer { server.stop() }
        let configuration = server.catalogue { $0.authorization = .clientKey() }
        try await logIn()
        var pages = VolumeRepository(configuration: configuration, session: session).all(limit: 1).pages
            .makeAsyncIterator()
        #expect(try await pages.next()?.count == 1)
        try await session.logout()
        try await logIn()
        let error = await failure { () throws(RepositoryError) in _ = try await pages.next() }
        #expect(error?.label == "unauthenticatedSession")
        #expect(try await pages.next() == nil && server.requests.count == 1)
    }

    @Test("reads a list on with the new token of the same session")
    func newToken() async throws {
        let server = try ScriptedServer(Self.page(1...1), Self.page(2...2), .json(#"{"volumes":[]}"#))
        defer { server.stop() }
        let configuration = server.catalogue { $0.authorization = .clientKey() }
        try await logIn()
        var iterator = VolumeRepository(configuration: configuration, session: session).all(limit: 1)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.id.rawValue == "v1")
        try await session.update(Reader(), credentials: SessionCredentials(accessToken: "renewed"))
        #expect(try await iterator.next()?.id.rawValue == "v2")
        #expect(try await iterator.next() == nil)
        #expect(server.requests.last?.headers["Authorization"] == "method=clientkey,token=renewed")
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
