import CatalogueKit
import Foundation
import MastheadLock
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

// Defects 21 to 24 and 31 to 35: how the library is brought up to date.
extension DefectTests {
    @Test(
        "defect 21: when something was changed is the library's own, whatever the publisher's metadata says",
        arguments: [#"{"updateDate":"mine"}"#, #""updateDate: mine""#, "null"]
    )
    func defect21(metadata: String) async throws {
        let update = #""updated":{"date":"2026-01-06T10:15:30.059998+00:00"}"#
        let (library, server) = try await open([
            "issues/i1": #"{"issues":[{"id":"i1","articles":[{"id":"a1",\#(update)}]}]}"#,
            "articles/a1": #"{"articles":[{"id":"a1","body":"x","customMeta":\#(metadata),"meta":{\#(update)}}]}"#,
        ])
        try await library.add(issue: "i1")
        let article = try #require(try await library.article("a1"))
        let date = try #require(Date(iso8601: "2026-01-06T10:15:30.059998+00:00"))
        #expect(article.updated == date)
        let kept = try JSONDecoder().decode(CustomMetadata?.self, from: Data(metadata.utf8)) ?? [:]
        #expect(article.customMetadata == kept)
        // It is still known after the article was read again, so that nothing is fetched.
        try await library.refresh(article: "a1")
        #expect(try await library.article("a1")?.updated == date)
        let asked = server.count(of: "/articles/")
        #expect(try await library.add(issue: "i1").isEmpty)
        #expect(server.count(of: "/articles/") == asked)
    }

    @Test("defect 22: a date that is missing is unknown, and what is unknown is compared again and not written")
    func defect22() async throws {
        let (library, server) = try await open([
            "volumes/v1": #"{"volumes":[{"id":"v1","title":"V","issues":[{"id":"i1"}]}]}"#,
            "issues/i1": #"{"issues":[{"id":"i1","title":"I","articles":[{"id":"a1"}],"meta":{"updated":{}}}]}"#,
            "articles/a1": #"{"articles":[{"id":"a1","body":"x","media":[{"id":"m1"}],"meta":{"publishedDate":""}}]}"#,
            "media/m1": #"{"media":[{"id":"m1","meta":{"updated":{"date":""}}}]}"#,
        ])
        try await library.add(volume: "v1")
        #expect(try await library.volume("v1")?.publishedDate == nil)
        let issue = try #require(try await library.issue("i1"))
        #expect(issue.date == nil && issue.updated == nil)
        let article = try #require(try await library.article("a1"))
        #expect(article.publishedDate == nil && article.updated == nil)
        #expect(try await library.asset("m1")?.updated == nil)
        for _ in 0..<2 { #expect(try await library.add(volume: "v1").isEmpty) }
        #expect(server.count(of: "/articles/a1") == 3)
        // It is neither before nor after anything.
        #expect(try await library.articles.older(than: .distantFuture).count() == 0)
        #expect(try await library.articles.newer(than: .distantPast).count() == 0)
    }

    @Test("defect 23: the order is that of the parent's list, in whatever order the server answers")
    func defect23() async throws {
        let (library, _) = try await open([
            "issues/i1": #"{"issues":[{"id":"i1","articles":[{"id":"a2"},{"id":"a1"},{"id":"a3"}]}]}"#,
            "articles/a2,a1,a3": """
            {"articles":[{"id":"a1","body":"x","media":[{"id":"m3"},{"id":"m1"},{"id":"m2"}]},{"id":"a3","body":"x"},\
            {"id":"a2","body":"x","media":[{"id":"m2"},{"id":"m3"}]}]}
            """,
            "media/m3,m1,m2": #"{"media":[{"id":"m2"},{"id":"m1"},{"id":"m3"}]}"#,
            "media/m2,m3,m1": #"{"media":[{"id":"m1"},{"id":"m3"},{"id":"m2"}]}"#,
        ])
        for _ in 0..<2 {
            try await library.add(issue: "i1")
            #expect(try await library.articles.inIssue("i1").ids() == ["a2", "a1", "a3"])
            #expect(try await library.issue("i1")?.placement(of: "a1") == 2)
            #expect(try await library.assets.ofArticle("a1").ids() == ["m3", "m1", "m2"])
            #expect(try await library.assets.ofArticle("a2").ids() == ["m2", "m3"])
        }
    }

    @Test("defect 24: what was taken out of an issue is not in it any more, and a deleted asset is in nothing")
    func defect24() async throws {
        let publisher = StubPublisher(StubCatalogue(volumes: 1, issues: 2, articles: 4))
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        try await library.add(volume: "v0")
        publisher.change { catalogue in
            catalogue.issues[0].articles.remove(at: 1)
            catalogue.put(catalogue.issues[0])
        }
        try await library.add(issue: "v0i0")
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a0", "v0i0a2", "v0i0a3"])
        #expect(try await library.issues.ofArticle("v0i0a1").count() == 0)
        #expect(try await library.article("v0i0a1") == nil)
        #expect(try await library.asset("v0i0a1m0") == nil)
        try await library.apply { $0.delete(asset: "v0i0a0m0") }
        #expect(try await library.article("v0i0a0")?.assetIDs == ["v0i0a0m1", "v0i0m"])
        try await library.apply { $0.delete(article: "v0i1a0") }
        #expect(try await library.issue("v0i1")?.articleIDs == ["v0i1a1", "v0i1a2", "v0i1a3"])
        // Nothing is left of them that would come back with an asset or an article of that id.
        try await library.apply {
            $0.save(Asset(id: "v0i0a0m0", caption: "Again"))
            $0.save(Article(id: "v0i1a0", title: "Again"))
        }
        #expect(try await library.articles.ofAsset("v0i0a0m0").count() == 0)
        #expect(try await library.issues.ofArticle("v0i1a0").count() == 0)
    }

    @Test("defect 31: without a key nobody is asked, and no other key is used")
    func defect31() async throws {
        let (library, server) = try await open(["issues/i1": #"{"issues":[{"id":"i1"}]}"#], key: nil)
        for call in [0, 1] {
            let refusal = try await refusal {
                call == 0 ? try await library.add(issue: "i1") : try await library.addAllVolumes()
            }
            guard case .invalidConfiguration = refusal else {
                Testing.Issue.record("asked without a key: \(String(describing: refusal))")
                return
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "defect 32: the key goes to the publisher's own host and by TLS, whatever the link to the next page says",
        arguments: [
            "http://api.example.org/issues/published?limit=1&page=2",
            "http://api.example.org:80/issues/published?page=2",
            "https://evil.example.com/issues/published?limit=1&page=2",
        ]
    )
    func defect32(link: String) async throws {
        let server = StubExecutor { request in
            let isFirst = !(request.url.query ?? "").contains("page=2")
            let meta = isFirst ? #","meta":{"pagination":{"next":"\#(link)"}}"# : ""
            return .json(#"{"issues":[{"id":"i\#(isFirst ? 1 : 2)","title":"I","articles":[{"id":"a"}]}]\#(meta)}"#)
        }
        let library = try await open(asking: server)
        try await library.addAllIssues(limit: 1, withArticles: false)
        #expect(server.requests.count == 2)
        for request in server.requests {
            #expect(request.url.scheme == "https" && request.url.host == "api.example.org" && request.url.port == nil)
            #expect(request.headers["Authorization"] == "method=clientkey,token=k3y")
        }
        #expect(Set(try await library.issues.ids()) == ["i1", "i2"])
    }

    @Test("defects 33 and 34: many things come with few requests, of at most 50 ids each")
    func defects33and34() async throws {
        let publisher = StubPublisher(StubCatalogue(volumes: 2, issues: 3, articles: 60))
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        try await library.addAllVolumes()
        #expect(try await library.articles.count() == 360)
        func asked(_ beginning: String) -> [[Substring]] {
            let targets = publisher.targets.filter { $0.hasPrefix(beginning) }
            return targets.map { $0.dropFirst(beginning.count).split(separator: ",") }
        }
        let (articles, media) = (asked("articles/"), asked("media/"))
        #expect(articles.joined().count == 360 && Set(articles.joined()).count == 360)
        #expect(articles.count <= 12)
        #expect(Set(media.joined()).count == publisher.catalogue.assets.count)
        #expect(media.count <= 20)
        #expect((articles + media).allSatisfy { $0.count <= 50 })
        #expect(publisher.targets.count <= 45)
        // What has not changed is not asked for again, even where only a comparison can tell.
        publisher.change {
            $0.saysDate = false
            $0.targets = []
        }
        let compared = try await Library(
            directory: folder.parent.appending(path: "compared"),
            catalogue: publisher.repositories()
        )
        try await compared.addAllVolumes()
        publisher.pause()
        #expect(try await compared.addAllVolumes().isEmpty)
        #expect(asked("articles/").isEmpty && asked("media/").isEmpty)
        #expect(publisher.targets.count <= 8)
    }

    @Test("defect 35: no more than four requests are under way at once")
    func defect35() async throws {
        let publisher = StubPublisher(StubCatalogue(volumes: 1, issues: 8, articles: 20))
        let counts = Lock((now: 0, most: 0))
        let answers = publisher.executor
        let server = StubExecutor { (request) async throws(RepositoryError) in
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            // Whoever else is about to ask may do so.
            for _ in 0..<10 { await Task.yield() }
            defer { counts.withLock { $0.now -= 1 } }
            let configuration = NetworkingConfiguration(domainURL: "api.example.org")
            let answer = try await answers.execute(request, configuration)
            return StubExecutor.Answer(status: answer.status, headers: answer.headers, body: answer.body)
        }
        let library = try await open(asking: server)
        try await library.add(volume: "v0")
        #expect(try await library.articles.count() == 160)
        #expect(counts.withLock { $0.most } <= 4)
        #expect(counts.withLock { $0.most } > 1)
    }
}
