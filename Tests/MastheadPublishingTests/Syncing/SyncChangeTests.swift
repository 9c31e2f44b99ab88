import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("What has changed at the publisher's", .timeLimit(.minutes(1)))
struct SyncChangeTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    @Test("three requests tell that nothing has, and nothing is written", arguments: [false, true])
    func nothing(refreshes: Bool) async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        let before = try synced.log()
        for _ in 0..<3 {
            let report = refreshes ? try await library.refresh() : try await library.addAllVolumes()
            #expect(report.isEmpty)
            #expect(report.requestCount == 3)
            #expect(publisher.targets.count == 3)
            publisher.pause()
        }
        #expect(try synced.log() == before)
    }

    @Test("an article that was changed is fetched with its assets, and no other")
    func article() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            var article = catalogue.articles[4]
            article.title = "Another title"
            catalogue.put(Asset(id: article.assetIDs[0], caption: "Another caption", kind: .image))
            catalogue.put(article)
        }
        let report = try await library.refresh()
        #expect(try await library.contents().articles == Contents(publisher.catalogue).articles)
        #expect(try await library.contents().assets == Contents(publisher.catalogue).assets)
        #expect(report.articles == ["v0i1a1"])
        #expect(report.assets == ["v0i1a1m0"])
        #expect(report.issues.isEmpty)
        #expect(publisher.targets.count == 4)
        publisher.pause()
        // It comes once more, since the server's clocks may differ; and then no more.
        #expect(try await library.refresh().isEmpty)
        publisher.pause()
        #expect(try await library.refresh().requestCount == 3)
    }

    @Test("a new article of an issue comes, at its place; an issue that is new in a volume comes whole")
    func additions() async throws {
        let library = try await synced.open()
        try await library.add(volume: "v0")
        try await library.refresh()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.put(Article.sample("new", on: catalogue.now))
            catalogue.issues[0].articles.insert(Article.Stub(id: "new"), at: 1)
            catalogue.put(catalogue.issues[0])
            catalogue.put(Article.sample("first", on: catalogue.now))
            catalogue.put(Issue(id: "v0i2", title: "New", articles: [Article.Stub(id: "first")], isPublished: true))
            catalogue.volumes[0].issueIDs.insert("v0i2", at: 0)
        }
        let report = try await library.refresh()
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a0", "new", "v0i0a1", "v0i0a2"])
        #expect(try await library.issues.ofVolume("v0").ids() == ["v0i2", "v0i0", "v0i1"])
        #expect(try await library.article("first")?.body == "<p>The text of first.</p>")
        #expect(Set(report.articles) == ["new", "first"])
        #expect(try await library.volume("v1") == nil)
    }

    @Test("without a date in its answers, everything is compared each time")
    func noDate() async throws {
        publisher.change { $0.saysDate = false }
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.articles[0].title = "Changed"
            catalogue.put(catalogue.articles[0])
        }
        let report = try await library.refresh()
        #expect(report.articles == ["v0i0a0"])
        #expect(!publisher.targets.contains { $0.contains("since") })
        #expect(try await library.contents() == Contents(publisher.catalogue))
    }

    @Test("an answer that is older than what is here changes nothing")
    func older() async throws {
        let library = try await synced.open()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.put(catalogue.articles[0])
            catalogue.put(catalogue.issues[0])
            catalogue.put(catalogue.assets.first { $0.id == "v0i0a0m0" } ?? Asset(id: "v0i0a0m0"))
        }
        try await library.add(issue: "v0i0")
        let before = try await library.contents()
        publisher.change { catalogue in
            catalogue.articles[0].updated = catalogue.now - 86_400
            catalogue.articles[0].title = "Old"
            catalogue.issues[0].updated = catalogue.now - 86_400
            catalogue.issues[0].title = "Old"
            let asset = catalogue.assets.firstIndex { $0.id == "v0i0a0m0" } ?? 0
            catalogue.assets[asset].updated = catalogue.now - 86_400
            catalogue.assets[asset].caption = "Old"
        }
        #expect(try await library.add(issue: "v0i0").isEmpty)
        #expect(try await library.refresh(article: "v0i0a0").isEmpty)
        #expect(try await library.contents() == before)
    }

    @Test("an article is read again when that is asked for, and so are its assets")
    func refreshArticle() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.change { $0.put(Asset(id: "v0i0a0m1", caption: "Changed", kind: .sound)) }
        #expect(try await library.refresh().isEmpty)
        let report = try await library.refresh(article: "v0i0a0")
        #expect(report.assets == ["v0i0a0m1"])
        #expect(report.articles.isEmpty)
        #expect(try await library.asset("v0i0a0m1")?.caption == "Changed")
        // It is still its issue's, and goes with it.
        try await library.apply { $0.delete(issue: "v0i0") }
        #expect(try await library.article("v0i0a0") == nil)
    }

    @Test("one id that the server refuses does not keep the others of its batch from coming")
    func refusedBatch() async throws {
        publisher.change { catalogue in
            catalogue.refusesUnknown = true
            catalogue.issues[0].articles += [Article.Stub(id: "none"), Article.Stub(id: "a,b")]
            catalogue.articles[0].assetIDs.append("none")
        }
        let library = try await synced.open()
        let report = try await library.add(issue: "v0i0")
        // An id with a comma cannot be asked for along with others: it would be two.
        #expect(report.unknown == [.article("none"), .article("a,b")])
        #expect(!publisher.targets.contains { $0.contains("a,b") })
        #expect(report.assets.count == 7)
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a0", "v0i0a1", "v0i0a2"])
        #expect(report.requestCount == publisher.targets.count)
    }

    @Test("what was written before a failure is whole, and the next time goes on from there", arguments: 0..<14)
    func failure(answers: Int) async throws {
        publisher.change { $0.answersLeft = answers }
        let library = try await synced.open()
        do throws(LibraryError) {
            try await library.addAllVolumes()
            #expect(publisher.targets.count <= answers)
        } catch {
            guard case .catalogue(.noNetworkConnection) = error else { throw error }
        }
        for issue in try await library.issues.all() {
            #expect(try await library.articles(issue.articleIDs).count == issue.articles.count)
        }
        publisher.change { $0.answersLeft = .max }
        try await library.addAllVolumes()
        #expect(try await library.contents() == Contents(publisher.catalogue))
    }

    @Test("a cancelled call says so")
    func cancelled() async throws {
        let library = try await synced.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await library.addAllVolumes()
        }
        let error = await #expect(throws: LibraryError.self) { try await task.value }
        guard case .cancelled = error else {
            Testing.Issue.record("it was not cancelled")
            return
        }
    }

    @Test("two catalogues are told apart: what is known of one says nothing of the other", arguments: 0..<4)
    func twoCatalogues(kind: Int) async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        await library.close()
        publisher.pause()
        let domain = kind == 1 ? "other.example.org" : "api.example.org"
        let configuration = NetworkingConfiguration(domainURL: domain) { configuration in
            configuration.clientKey = "k3y"
            if kind == 2 { configuration.port = 8443 }
            if kind == 3 { configuration.subdomainURL = "v2" }
        }
        let other = try await Library(
            directory: synced.folder.directory,
            catalogue: publisher.repositories(showsPreviews: kind == 0, configuration)
        )
        #expect(try await other.refresh().requestCount > 3)
        #expect(publisher.targets.allSatisfy { !$0.contains("since") })
    }
}
