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

    @Test("is a minute before the first list was made, however long the others took")
    func firstList() async throws {
        publisher.change { catalogue in
            // Enough issues for their list to be read too.
            catalogue = StubCatalogue(volumes: 2, issues: 3, articles: 1)
            catalogue.secondsPerAnswer = 100
        }
        let begin = publisher.catalogue.now + 100 - 60
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        try await library.refresh()
        let dates = publisher.targets.filter { $0.contains("since") }.compactMap { target in
            target.split(separator: "/").last.flatMap { $0.split(separator: "?").first }.flatMap {
                Date(iso8601: String($0))
            }
        }
        #expect(dates == [begin, begin])
    }

    @Test("is not believed when the server's clock was set back: everything is compared, and it is noted anew")
    func clockSetBack() async throws {
        let library = try await synced.open()
        publisher.change { $0.now += 86_400 }
        try await library.addAllVolumes()
        publisher.change { $0.now -= 86_400 }
        publisher.pause()
        publisher.change { catalogue in
            catalogue.articles[4].title = "Changed"
            catalogue.put(catalogue.articles[4])
        }
        #expect(try await library.refresh().articles == ["v0i1a1"])
        publisher.pause()
        publisher.change { catalogue in
            catalogue.articles[4].title = "Changed again"
            catalogue.put(catalogue.articles[4])
        }
        publisher.pause()
        #expect(try await library.refresh().articles == ["v0i1a1"])
        #expect(publisher.targets.count == 4)
    }

    @Test("is not noted before everything was compared, after the clock was set back", arguments: 0..<12)
    func brokenOff(answers: Int) async throws {
        let library = try await synced.open()
        publisher.change { $0.now += 86_400 }
        try await library.addAllVolumes()
        publisher.change { $0.put($0.articles[1]) }
        publisher.change { $0.now -= 86_400 }
        publisher.pause()
        publisher.change { catalogue in
            catalogue.articles[4].title = "Changed"
            catalogue.put(catalogue.articles[4])
        }
        publisher.pause()
        publisher.change { $0.answersLeft = answers }
        do throws(LibraryError) {
            try await library.refresh()
        } catch {
            guard case .catalogue(.noNetworkConnection) = error else { throw error }
        }
        publisher.pause()
        publisher.change { $0.answersLeft = .max }
        try await library.refresh()
        #expect(try await library.article("v0i1a1")?.title == "Changed")
    }

    @Test("is not known while an issue is here that was not asked for")
    func issueApart() async throws {
        publisher.change { $0.put(Issue(id: "alone", title: "Alone", isPublished: true)) }
        let library = try await synced.open()
        try await library.add(issue: "alone")
        publisher.pause()
        publisher.change { $0.put(Issue(id: "alone", title: "Changed", isPublished: true)) }
        publisher.pause()
        try await library.addAllVolumes()
        #expect(try await library.issue("alone")?.title == "Alone")
        #expect(try await library.refresh().issues == ["alone"])
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
