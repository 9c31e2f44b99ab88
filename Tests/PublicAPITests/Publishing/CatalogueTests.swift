import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

/// The catalogue as an app uses it: nothing here sees more than the public API.
@Suite("The catalogue", .timeLimit(.minutes(1)))
struct CatalogueTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
        $0.clientKey = "k3y"
    }

    @Test("an app walks from a volume to its pictures in four requests")
    func walks() async throws {
        let stub = try StubExecutor(routes: [
            "GET /volumes/v1": .json(#"{"volumes":[{"id":"v1","issues":[{"id":"i1"}]}]}"#),
            "GET /issues/i1": .json(#"{"issues":[{"id":"i1","articles":[{"id":"a2"},{"id":"a1"}]}]}"#),
            "GET /articles/a2,a1": .json(
                #"{"articles":[{"id":"a1","body":"One"},{"id":"a2","body":"Two","media":[{"id":"m1"}]}]}"#
            ),
            "GET /media/m1": .json(#"{"media":[{"id":"m1","meta":{"type":"audio"}}]}"#),
        ])
        let volumes = VolumeRepository(configuration: configuration, executor: stub)
        let issues = IssueRepository(configuration: configuration, executor: stub)
        let articles = ArticleRepository(configuration: configuration, executor: stub)
        let assets = AssetRepository(configuration: configuration, executor: stub)

        let volume = try await volumes.volume("v1").get()
        let issue = try await issues.issue(volume.issueIDs[0]).get()
        let contents = try await articles.articles(issue.articleIDs).get()
        let pictures = try await assets.assets(contents.flatMap(\.assetIDs)).get()

        #expect(contents.map(\.body) == ["Two", "One"])
        #expect(pictures.map(\.kind) == [.sound])
        #expect(stub.requests.count == 4)
    }

    @Test("an app asks with its key for what no repository knows")
    func asksForMore() async throws {
        let stub = try StubExecutor(routes: ["GET /shelves": .json(#"["harbour"]"#)])
        let catalogue = CatalogueRepository(configuration: configuration, showsPreviews: true, executor: stub)

        let shelves: [String] = try await catalogue.perform(.get("shelves")).get()

        #expect(shelves == ["harbour"])
        #expect(try await stub.request(0).headers["Authorization"] == "method=clientkey,token=k3y")
        #expect(try await stub.request(0).headers["X-Preview-App"] == "preview")
    }

    @Test("an app switches on what the server says")
    func switches() async throws {
        let volumes = VolumeRepository(configuration: configuration, executor: StubExecutor { _ in .status(410) })
        switch await volumes.volume("v1") {
        case .failure(.customError(VolumeError.withdrawn)): break
        case .success, .failure: Testing.Issue.record("a withdrawn volume was not told")
        }
    }

    @Test("an app iterates over a list, and gets a typed error")
    func iterates() async throws {
        let stub = StubExecutor { request in
            request.url.query() == "limit=1" ? .json(#"{"issues":[{"id":"i1"}]}"#) : .failure(.noNetworkConnection)
        }
        let issues = IssueRepository(configuration: configuration, executor: stub)
        var read: [MastheadPublishing.Issue.ID] = []
        do {
            for try await issue in issues.allPublished(limit: 1) { read.append(issue.id) }
        } catch .noNetworkConnection {
            read.append("offline")
        }
        #expect(read == ["i1", "offline"])
    }

    @Test("an app asks what a reader owns")
    func owns() async throws {
        let stub = StubExecutor { _ in .json(#"["org.example.a"]"#) }
        let subscriber = NetworkingConfiguration(domainURL: "subscriber.example.com")
        let purchases = PurchaseRepository(configuration: subscriber, sharedSecret: "s3cret", executor: stub)
        #expect(try await purchases.skus(forEmail: "reader@example.com").get() == ["org.example.a"])
        try await purchases.attach(skus: ["org.example.b"], to: "reader@example.com").get()
        #expect(stub.requests.allSatisfy { $0.headers["X-Serial-MD5"]?.utf8.count == 32 })
    }
}
