import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

/// The sample payloads through nginx, TLS and HTTP/2 to the typed repositories, each field checked against the file.
@Suite(
    "the catalogue behind nginx",
    .needsNginx,
    .enabled(if: Peers.have(MagnetNginx.samples), "needs the shared samples folder"),
    .timeLimit(.minutes(1))
)
struct MagnetTests {
    private let date = Date(timeIntervalSince1970: 1_767_600_000)

    @Test("volumes")
    func volumes() async throws {
        let expected = try #require(try Sample.objects("volumes.detail.json", in: "volumes").first)
        let stubs = try Sample.objects("volumes.list.json", in: "volumes").map { $0.text("id") }
        let log = try await MagnetNginx.serve { configuration in
            let repository = VolumeRepository(configuration: configuration)

            let all = try await repository.volumes().get()
            #expect(all.map(\.id.rawValue) == stubs)
            #expect(try await repository.volumes(page: 1).get() == all)
            #expect(try await repository.volumes(page: 1, limit: 5).get() == all)
            try expect(try await repository.volume(all[0].id).get(), is: expected)
            try expect(try await repository.volume(sku: "org.example.tidewater").get(), is: expected)
        }
        #expect(
            log.map(\.target) == [
                "/volumes", "/volumes?limit=20", "/volumes?limit=5", "/volumes/64a0c0ffee0000000000a001",
                "/volumes/sku/org.example.tidewater",
            ]
        )
        expectCatalogueCalls(log)
    }

    @Test("issues")
    func issues() async throws {
        let expected = try #require(try Sample.objects("issues.detail.json", in: "issues").first)
        let stubs = try Sample.objects("issues.published.json", in: "issues").map { $0.text("id") }
        let log = try await MagnetNginx.serve { [date] configuration in
            let repository = IssueRepository(configuration: configuration)
            let id = MastheadPublishing.Issue.ID(expected.text("id"))
            let sku = SKU(expected.text("sku"))

            for list in [
                try await repository.issues().get(), try await repository.publishedIssues().get(),
                try await repository.publishedIssues(since: date).get(), try await repository.previewIssues().get(),
                try await repository.previewIssues(since: date).get(),
            ] {
                #expect(list.map(\.id.rawValue) == stubs)
            }
            try expect(try await repository.issue(id).get(), is: expected)
            try expect(try #require(try await repository.issue(id, since: date).get()), is: expected)
            try expect(try await repository.issue(sku: sku).get(), is: expected)
        }
        #expect(log.count == 8)
        expectCatalogueCalls(log)
    }

    @Test("articles, lists and batches")
    func articles() async throws {
        let one = try #require(try Sample.objects("articles.detail.json", in: "articles").first)
        let batch = try Sample.objects("articles.batch.json", in: "articles")
        let list = try Sample.objects("articles.list.json", in: "articles")
        let log = try await MagnetNginx.serve { [date] configuration in
            let repository = ArticleRepository(configuration: configuration)

            for (page, expected) in [
                (try await repository.articles().get(), list),
                (try await repository.articles(since: date).get(), list),
                (try await repository.publishedArticles().get(), list),
                (try await repository.publishedArticles(since: date).get(), list),
                (try await repository.previewArticles().get(), list),
                (try await repository.articles(where: "ist", equals: "LAist").get(), list),
                (try await repository.articles(batch.map { .init($0.text("id")) }).get(), batch),
                ([try await repository.article(.init(one.text("id"))).get()], [one]),
                ([try await repository.article(sku: SKU(one.text("sku"))).get()], [one]),
            ] {
                #expect(page.count == expected.count)
                for (article, sample) in zip(page, expected) { try expect(article, is: sample) }
            }
        }
        #expect(log.count == 9)
        expectCatalogueCalls(log)
    }

    @Test("all articles, over a link to the next page that forgets TLS")
    func paging() async throws {
        let list = try Sample.objects("articles.list.json", in: "articles").map { $0.text("id") }
        let log = try await MagnetNginx.serve { configuration in
            var ids: [String] = []
            for try await article in ArticleRepository(configuration: configuration).all(limit: 2) {
                ids.append(article.id.rawValue)
            }
            #expect(ids == list)
        }
        #expect(log.map(\.target) == ["/articles?limit=2", "/articles?limit=2&page=2"])
        expectCatalogueCalls(log)
    }

    @Test("all articles, over a link to the next page that names another host")
    func foreignPage() async throws {
        let list = try Sample.objects("articles.list.json", in: "articles").map { $0.text("id") }
        let log = try await MagnetNginx.serve(namesItself: false) { configuration in
            var ids: [String] = []
            for try await article in ArticleRepository(configuration: configuration).all(limit: 2) {
                ids.append(article.id.rawValue)
            }
            #expect(ids == list)
        }
        #expect(log.map(\.target) == ["/articles?limit=2", "/articles?limit=2&page=2"])
        expectCatalogueCalls(log)
    }

    @Test("assets, one and many")
    func assets() async throws {
        let one = try #require(try Sample.objects("media.detail.json", in: "media").first)
        let batch = try Sample.objects("media.batch.json", in: "media")
        let log = try await MagnetNginx.serve { configuration in
            let repository = AssetRepository(configuration: configuration)

            try expect(try await repository.asset(.init(one.text("id"))).get(), is: one)
            let assets = try await repository.assets(batch.map { .init($0.text("id")) }).get()
            #expect(assets.count == batch.count)
            for (asset, sample) in zip(assets, batch) { try expect(asset, is: sample) }
        }
        #expect(log.count == 2)
        expectCatalogueCalls(log)
    }

    @Test("what a reader owns, without the catalogue's key")
    func purchases() async throws {
        let expected = try Sample.strings("subscriber.skus.json")
        let log = try await MagnetNginx.serve { configuration in
            let repository = PurchaseRepository(configuration: configuration, sharedSecret: "s3cret")
            let skus = try await repository.skus(forEmail: "reader+1@example.com").get()
            #expect(skus.map(\.rawValue) == expected)
        }
        #expect(log.map(\.target) == ["/api/1.5/serial/email?email=reader%2B1%40example.com"])
        #expect(log.map(\.version) == ["HTTP/2.0"])
        #expect(log.map(\.authorization) == ["-"])
    }

    @Test("a preview app says that it is one")
    func previews() async throws {
        let log = try await MagnetNginx.serve { configuration in
            let repository = IssueRepository(configuration: configuration, showsPreviews: true)
            let issues = try await repository.previewIssues().get()
            #expect(issues.count == 2)
        }
        #expect(log.map(\.preview) == ["preview"])
    }

    @Test("what the server does not know is the app's own error")
    func unknown() async throws {
        let log = try await MagnetNginx.serve { configuration in
            let result = await VolumeRepository(configuration: configuration).volume("no,such")
            guard case .failure(let error) = result else {
                Testing.Issue.record("expected a failure, got \(result)")
                return
            }
            #expect("\(error)".contains("unknownVolume"))
        }
        #expect(log.map(\.status) == [404])
    }

    @Test("the wrong client key is refused, and stands in no description")
    func wrongKey() async throws {
        let log = try await MagnetNginx.serve { configuration in
            var configuration = configuration
            configuration.clientKey = "wrong-key"
            let result = await VolumeRepository(configuration: configuration).volumes()
            guard case .failure(.requestError) = result else {
                Testing.Issue.record("expected requestError, got \(result)")
                return
            }
            #expect(!"\(result)".contains("wrong-key"))
        }
        #expect(log.map(\.status) == [401])
    }

    @Test("a certificate that no authority vouches for is refused before a request is sent")
    func untrusted() async throws {
        let log = try await MagnetNginx.serve { configuration in
            var configuration = configuration
            configuration.certificateAuthorityFile = nil
            guard case .failure(.tls) = await VolumeRepository(configuration: configuration).volumes() else {
                Testing.Issue.record("expected tls")
                return
            }
        }
        #expect(log.isEmpty)
    }

    private func expectCatalogueCalls(_ log: [Nginx.Access]) {
        for call in log {
            #expect(call.version == "HTTP/2.0")
            #expect(call.status == 200, "\(call.target)")
            #expect(call.authorization == "method=clientkey,token=\(MagnetNginx.clientKey)")
            #expect(call.preview == "-")
        }
    }
}
