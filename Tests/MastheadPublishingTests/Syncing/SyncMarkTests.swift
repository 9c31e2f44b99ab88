import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("Up to when everything is here", .timeLimit(.minutes(1)))
struct SyncMarkTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    @Test("is known when all volumes have come, though something of them was here before", arguments: [false, true])
    func whole(hasArticle: Bool) async throws {
        let library = try await synced.open()
        // As after a first sync that was broken off.
        if hasArticle { try await library.add(article: "v0i0a0") } else { try await library.add(issue: "v1i1") }
        try await library.addAllVolumes()
        publisher.pause()
        let report = try await library.addAllVolumes()
        #expect(report.isEmpty)
        #expect(report.requestCount == 3)
    }

    @Test("is not known while something else is here that was not asked for")
    func apart() async throws {
        publisher.change { catalogue in
            catalogue.put(Article.sample("alone", on: catalogue.now))
        }
        publisher.pause()
        let library = try await synced.open()
        try await library.add(article: "alone")
        publisher.pause()
        publisher.change { catalogue in
            var article = Article.sample("alone", on: catalogue.now)
            article.title = "Changed while nobody looked"
            catalogue.put(article)
        }
        publisher.pause()
        try await library.addAllVolumes()
        publisher.pause()
        try await library.addAllVolumes()
        #expect(try await library.article("alone")?.title != "Changed while nobody looked")
        // What comes next brings it, since nothing was said of it.
        #expect(try await library.refresh().articles == ["alone"])
    }
}
