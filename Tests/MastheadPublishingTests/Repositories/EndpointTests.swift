import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

/// The rows of the Magnet API's table of endpoints, by their numbers, over real sockets.
struct EndpointTests {
    private let since = Date(timeIntervalSince1970: 1_767_607_200)

    private func server(_ collection: String, _ elements: JSONValue...) throws -> ScriptedServer {
        let body = try Wire.data([collection: .array(elements)])
        return try ScriptedServer { _ in .data(body, contentType: "application/json") }
    }

    /// What the server saw of the only request.
    private func expect(
        _ server: ScriptedServer,
        saw target: String,
        previews: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(server.requests.count == 1, sourceLocation: sourceLocation)
        let request = try #require(server.requests.first, sourceLocation: sourceLocation)
        #expect(request.method == "GET", sourceLocation: sourceLocation)
        #expect(request.target == target, sourceLocation: sourceLocation)
        #expect(request.body.isEmpty, sourceLocation: sourceLocation)
        #expect(
            request.headers.values(of: "Authorization") == ["method=clientkey,token=k3y"],
            sourceLocation: sourceLocation
        )
        #expect(
            request.headers.values(of: "X-Preview-App") == (previews ? ["preview"] : []),
            sourceLocation: sourceLocation
        )
    }

    @Test("row 1: all volumes, as many as the server likes")
    func row1() async throws {
        let server = try server("volumes", Wire.volume, ["id": "v2"])
        defer { server.stop() }
        let volumes = try await VolumeRepository(configuration: server.catalogue()).volumes().get()
        try expect(server, saw: "/volumes")
        #expect(volumes.map(\.id) == ["v1", "v2"])
        #expect(volumes.map(\.isStub) == [false, true])
    }

    @Test("row 2: the first page of volumes has no number", arguments: [1, 0, -3])
    func row2(page: Int) async throws {
        let server = try server("volumes", Wire.volume)
        defer { server.stop() }
        let volumes = try await VolumeRepository(configuration: server.catalogue()).volumes(page: page).get()
        try expect(server, saw: "/volumes?limit=20")
        #expect(volumes.first?.title == "Lantern, Year Two")
    }

    @Test("row 3: any other page of volumes", arguments: [(50, "50"), (0, "20"), (-1, "20")])
    func row3(limit: Int, sent: String) async throws {
        let server = try server("volumes", Wire.volume)
        defer { server.stop() }
        let volumes = try await VolumeRepository(configuration: server.catalogue()).volumes(page: 3, limit: limit).get()
        try expect(server, saw: "/volumes?limit=\(sent)&page=3")
        #expect(volumes.count == 1)
    }

    @Test("row 4: a volume by its id")
    func row4() async throws {
        let server = try server("volumes", Wire.volume)
        defer { server.stop() }
        let volume = try await VolumeRepository(configuration: server.catalogue()).volume("v1").get()
        try expect(server, saw: "/volumes/v1")
        #expect(volume.issueIDs == ["i1", "i2"])
    }

    @Test("row 5: a volume by its SKU")
    func row5() async throws {
        let server = try server("volumes", Wire.volume)
        defer { server.stop() }
        let volume = try await VolumeRepository(configuration: server.catalogue()).volume(sku: "org.example.volume.1")
            .get()
        try expect(server, saw: "/volumes/sku/org.example.volume.1")
        #expect(volume.id == "v1")
    }

    @Test("row 6: all issues, as many as the server likes")
    func row6() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issues = try await IssueRepository(configuration: server.catalogue()).issues().get()
        try expect(server, saw: "/issues")
        #expect(issues.map(\.id) == ["i1"])
    }

    @Test("row 7: an issue by its id")
    func row7() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issue = try await IssueRepository(configuration: server.catalogue()).issue("i1").get()
        try expect(server, saw: "/issues/i1")
        #expect(issue.articleIDs == ["a1", "a2"])
    }

    @Test("row 8: an issue since a date")
    func row8() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issue = try await IssueRepository(configuration: server.catalogue()).issue("i1", since: since).get()
        try expect(server, saw: "/issues/i1/since/2026-01-05T10:00:00%2B00:00")
        #expect(issue?.articles.count == 2)
    }

    @Test("row 8: nothing in an issue since a date")
    func row8Nothing() async throws {
        let server = try server("issues")
        defer { server.stop() }
        let issue = try await IssueRepository(configuration: server.catalogue()).issue("i1", since: since).get()
        #expect(issue == nil)
    }

    @Test("row 9: an issue by its SKU, with its volumes")
    func row9() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issue = try await IssueRepository(configuration: server.catalogue()).issue(sku: "org.example.issue.1").get()
        try expect(server, saw: "/issues/sku/org.example.issue.1")
        #expect(issue.volumeIDs == ["v1"])
    }

    @Test("row 10: published issues")
    func row10() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issues = try await IssueRepository(configuration: server.catalogue()).publishedIssues().get()
        try expect(server, saw: "/issues/published?limit=20")
        #expect(issues.first?.isPublished == true)
    }

    @Test("row 11: published issues since a date")
    func row11() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issues = try await IssueRepository(configuration: server.catalogue())
            .publishedIssues(page: 2, since: since.addingTimeInterval(0.059998)).get()
        try expect(server, saw: "/issues/published/since/2026-01-05T10:00:00.059998%2B00:00?limit=20&page=2")
        #expect(issues.count == 1)
    }

    @Test("row 12: previews of issues")
    func row12() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issues = try await IssueRepository(configuration: server.catalogue(), showsPreviews: true)
            .previewIssues(page: 2, limit: 5).get()
        try expect(server, saw: "/issues/preview?limit=5&page=2", previews: true)
        #expect(issues.count == 1)
    }

    @Test("row 13: previews of issues since a date")
    func row13() async throws {
        let server = try server("issues", Wire.issue)
        defer { server.stop() }
        let issues = try await IssueRepository(configuration: server.catalogue(), showsPreviews: true)
            .previewIssues(since: since).get()
        try expect(server, saw: "/issues/preview/since/2026-01-05T10:00:00%2B00:00?limit=20", previews: true)
        #expect(issues.count == 1)
    }

    @Test("row 14: a page of articles")
    func row14() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue()).articles(page: 2, limit: 100)
            .get()
        try expect(server, saw: "/articles?limit=100&page=2")
        #expect(articles.first?.body == "<p>One.</p>")
    }

    @Test("row 15: articles since a date")
    func row15() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue()).articles(since: since).get()
        try expect(server, saw: "/articles/since/2026-01-05T10:00:00%2B00:00?limit=20")
        #expect(articles.count == 1)
    }

    @Test("row 16: published articles")
    func row16() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue()).publishedArticles(page: 4).get()
        try expect(server, saw: "/articles/published?limit=20&page=4")
        #expect(articles.first?.isPublished == true)
    }

    @Test("row 17: published articles since a date")
    func row17() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue())
            .publishedArticles(limit: 7, since: since).get()
        try expect(server, saw: "/articles/published/since/2026-01-05T10:00:00%2B00:00?limit=7")
        #expect(articles.count == 1)
    }

    @Test("row 18: previews of articles")
    func row18() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue(), showsPreviews: true)
            .previewArticles(page: 2).get()
        try expect(server, saw: "/articles/preview?limit=20&page=2", previews: true)
        #expect(articles.first?.assetIDs == ["m2", "m1"])
    }

    @Test("row 19: an article by its id")
    func row19() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let article = try await ArticleRepository(configuration: server.catalogue()).article("a1").get()
        try expect(server, saw: "/articles/a1")
        #expect(article.slug == "the-keeper")
    }

    @Test("row 19: articles by their ids, in the order of asking and without what is unknown")
    func row19Batch() async throws {
        let server = try server("articles", Wire.article, ["id": "a2"], ["id": "a9"])
        defer { server.stop() }
        let articles = try await ArticleRepository(configuration: server.catalogue())
            .articles(["a2", "a3", "a1", "a2"]).get()
        try expect(server, saw: "/articles/a2,a3,a1")
        #expect(articles.map(\.id) == ["a2", "a1"])
    }

    @Test("row 20: an article by its SKU")
    func row20() async throws {
        let server = try server("articles", Wire.article)
        defer { server.stop() }
        let article = try await ArticleRepository(configuration: server.catalogue())
            .article(sku: "org.example.article.1").get()
        try expect(server, saw: "/articles/sku/org.example.article.1")
        #expect(article.id == "a1")
    }

    @Test("row 21: articles by a property, without a request for each")
    func row21() async throws {
        let server = try server("articles", Wire.article, Wire.article.replacing(["id"], with: "a2"))
        defer { server.stop() }
        let repository = ArticleRepository(configuration: server.catalogue())
        let articles = try await repository.articles(where: "ist", equals: "LA/ist", page: 2, limit: 10).get()
        try expect(server, saw: "/articles/ist/LA%2Fist?limit=10&page=2")
        #expect(try await repository.fullArticles(articles).get() == articles)
        #expect(server.requests.count == 1)
    }

    @Test("row 22: an asset by its id")
    func row22() async throws {
        let server = try server("media", Wire.asset)
        defer { server.stop() }
        let asset = try await AssetRepository(configuration: server.catalogue()).asset("m1").get()
        try expect(server, saw: "/media/m1")
        #expect(asset.width == 1600)
    }

    @Test("row 22: assets by their ids, in the order of asking")
    func row22Batch() async throws {
        let server = try server("media", Wire.asset, ["id": "m2"])
        defer { server.stop() }
        let assets = try await AssetRepository(configuration: server.catalogue()).assets(["m2", "m1"]).get()
        try expect(server, saw: "/media/m2,m1")
        #expect(assets.map(\.id) == ["m2", "m1"])
    }

    @Test("a hostile id, SKU or value reaches the server as one segment")
    func hostileNames() async throws {
        let server = try ScriptedServer { _ in .status(404) }
        defer { server.stop() }
        let name = "a/b?c#d%2Fe+f g🗞"
        let encoded = "a%2Fb%3Fc%23d%252Fe%2Bf%20g%F0%9F%97%9E"
        let configuration = server.catalogue { $0.subdomainURL = "/v2" }
        let volumes = VolumeRepository(configuration: configuration)
        let articles = ArticleRepository(configuration: configuration)
        _ = await volumes.volume(Volume.ID(name))
        _ = await volumes.volume(sku: SKU(name))
        _ = await articles.articles([Article.ID(name), "x"])
        _ = await articles.articles(where: name, equals: name)
        #expect(
            server.requests.map(\.target) == [
                "/v2/volumes/\(encoded)", "/v2/volumes/sku/\(encoded)", "/v2/articles/\(encoded),x",
                "/v2/articles/\(encoded)/\(encoded)?limit=20",
            ]
        )
    }

    @Test("the key does not follow a redirect to another origin")
    func redirects() async throws {
        let other = try ScriptedServer(.data(Wire.envelope("volumes", Wire.volume), contentType: "application/json"))
        defer { other.stop() }
        let server = try ScriptedServer(.redirect(to: "\(other.baseURL)/volumes/v1", status: 307))
        defer { server.stop() }
        _ = try await VolumeRepository(configuration: server.catalogue()).volume("v1").get()
        #expect(server.requests.first?.headers["Authorization"] != nil)
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["Authorization"] == nil)
    }
}
