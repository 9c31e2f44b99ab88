import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("What a sync asks for", .timeLimit(.minutes(1)))
struct SyncRequestTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    /// How often it was asked for something whose path and query contain a text.
    private func count(_ text: String) -> Int {
        publisher.targets.count { $0.contains(text) }
    }

    @Test("many issues come from the list, which is read no further than to the last of them")
    func issuesOfList() async throws {
        publisher.change { $0 = StubCatalogue(volumes: 21, issues: 5, articles: 1) }
        let library = try await synced.open()
        try await library.add(volume: "v0")
        #expect(publisher.targets.filter { $0.hasPrefix("issues/") }.count == 1)
        #expect(count("issues/published") == 1)
        #expect(try await library.issues.count() == 5)
    }

    @Test("an issue that is new in a volume is not asked for when the list of what changed has it")
    func issueOfChanges() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.put(Article.sample("first", on: catalogue.now))
            catalogue.put(Issue(id: "v0i2", articles: [Article.Stub(id: "first")], isPublished: true))
            catalogue.volumes[0].issueIDs.append("v0i2")
        }
        let report = try await library.refresh()
        #expect(report.issues == ["v0i2"])
        #expect(count("issues/v0i2") == 0)
    }

    @Test("an issue in no volume is brought up to date by the list of what changed, too")
    func looseIssue() async throws {
        publisher.change { $0.put(Issue(id: "loose", title: "Loose", isPublished: true)) }
        let library = try await synced.open()
        try await library.addAllVolumes()
        try await library.add(issue: "loose")
        publisher.pause()
        publisher.change { $0.put(Issue(id: "loose", title: "Changed", isPublished: true)) }
        try await library.addAllVolumes()
        #expect(try await library.issue("loose")?.title == "Changed")
    }

    @Test("an issue without articles is asked for once")
    func emptyIssue() async throws {
        publisher.change { $0.put(Issue(id: "empty", title: "Empty", isPublished: true)) }
        let library = try await synced.open()
        #expect(try await library.add(issue: "empty").requestCount == 1)
        #expect(publisher.targets == ["issues/empty"])
    }

    @Test("an article in several issues is asked for once, and so is an asset of several articles")
    func shared() async throws {
        var catalogue = StubCatalogue(volumes: 1, issues: 2, articles: 201)
        catalogue.put(Article.sample("both", on: catalogue.now))
        for index in catalogue.issues.indices { catalogue.issues[index].articles.append(Article.Stub(id: "both")) }
        catalogue.put(Asset(id: "v0i0m", caption: "Issue", kind: .image))
        catalogue.articles[300].assetIDs.append("v0i0m")
        publisher.change { [catalogue] in $0 = catalogue }
        let library = try await synced.open()
        try await library.add(volume: "v0")
        #expect(count("both") == 1)
        #expect(count("v0i0m") == 1)
        #expect(try await library.articles.count() == 403)
    }

    @Test("everything is here that a volume or an issue names, covers that no list of theirs has among it")
    func covers() async throws {
        publisher.change { catalogue in
            for id in ["phone", "tablet", "landscape", "list", "front", "back"] {
                catalogue.put(Asset(id: Asset.ID(id), caption: id, kind: .image))
            }
            catalogue.issues[0].coverPhoneID = "phone"
            catalogue.issues[0].coverTabletID = "tablet"
            catalogue.issues[0].coverTabletLandscapeID = "landscape"
            catalogue.issues[0].assetIDs = ["list"]
            catalogue.volumes[0].coverID = "front"
            catalogue.volumes[0].assetIDs = ["back"]
        }
        let library = try await synced.open()
        try await library.add(volume: "v0")
        for id in ["phone", "tablet", "landscape", "list", "front", "back"] {
            #expect(try await library.asset(Asset.ID(id))?.caption == id)
        }
    }

    @Test(
        "articles of a list that leaves texts out, or everything, come with their texts; once",
        arguments: [false, true]
    )
    func textsOfList(onlyIDs: Bool) async throws {
        publisher.change { catalogue in
            catalogue.listsOnlyIDs = onlyIDs
            catalogue.listsLeaveTextsOut = !onlyIDs
        }
        let library = try await synced.open()
        try await library.addAllArticles()
        #expect(try await library.contents().articles == Contents(publisher.catalogue).articles)
        publisher.pause()
        // Of a list of ids nobody knows what has changed.
        #expect(try await library.addAllArticles().requestCount == (onlyIDs ? 2 : 1))
    }

    @Test("a list of whole articles that are here costs itself")
    func wholeList() async throws {
        let library = try await synced.open()
        try await library.addAllArticles()
        #expect(try await library.addAllArticles().requestCount == 1)
    }

    @Test("the text of an article comes that an app saved without one")
    func missingText() async throws {
        let library = try await synced.open()
        var article = publisher.catalogue.articles[0]
        let body = article.body
        article.body = ""
        try await library.apply { [article] in $0.save(article) }
        try await library.add(issue: "v0i0")
        #expect(try await library.article(article.id)?.body == body)
    }

    @Test("a library that holds nothing asks nothing, and one that holds an article asks what articles changed")
    func little() async throws {
        let library = try await synced.open()
        #expect(try await library.refresh().requestCount == 0)
        try await library.addAllVolumes()
        try await library.add(article: "v0i0a0")
        for volume in try await library.volumes.ids() { try await library.apply { $0.delete(volume: volume) } }
        #expect(try await library.articles.ids() == ["v0i0a0"])
        publisher.pause()
        #expect(try await library.refresh().requestCount == 1)
        #expect(publisher.targets.count { $0.hasPrefix("articles/published/since") } == 1)
    }

    @Test("what changed elsewhere is asked for once, not ever again", arguments: [false, true])
    func elsewhere(isIssue: Bool) async throws {
        let library = try await synced.open()
        try await library.add(volume: "v0")
        try await library.refresh()
        publisher.pause()
        publisher.change { catalogue in
            if isIssue { catalogue.put(catalogue.issues[3]) } else { catalogue.put(catalogue.articles[11]) }
        }
        publisher.pause()
        var asked: [[String]] = []
        for _ in 0..<3 {
            publisher.pause()
            #expect(try await library.refresh().isEmpty)
            asked.append(publisher.targets.filter { $0.contains("since") })
        }
        #expect(asked[0].count == 2)
        // The second time it asks since the first, and the third time as well: nothing has changed.
        #expect(asked[1] != asked[0])
        #expect(asked[2] == asked[1])
    }
}
