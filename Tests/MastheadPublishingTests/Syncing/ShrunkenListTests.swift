import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("Lists that came back shorter", .timeLimit(.minutes(1)))
struct ShrunkenListTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    /// Takes all but one of the assets of a volume, an issue and an article.
    private func dropAssets() {
        publisher.change { catalogue in
            catalogue.volumes[0].assetIDs = ["v0m"]
            catalogue.issues[0].assetIDs = ["v0i0m"]
            catalogue.put(catalogue.issues[0])
            catalogue.articles[0].assetIDs = ["v0i0m"]
            catalogue.put(catalogue.articles[0])
        }
    }

    @Test(
        "assets that volumes, issues and articles drop go, where lists are believed; else they stay where they are",
        arguments: [false, true]
    )
    func assets(isBelieved: Bool) async throws {
        publisher.change { catalogue in
            for id in ["a", "b"] { catalogue.put(Asset(id: Asset.ID(id), caption: id, kind: .image)) }
            catalogue.volumes[0].assetIDs = ["v0m", "a"]
            catalogue.issues[0].assetIDs = ["v0i0m", "b"]
        }
        let library = try await synced.open(isBelieved ? .believes : .asks(beyond: 0) { _ in .keep })
        try await library.addAllVolumes()
        publisher.pause()
        dropAssets()
        let report = try await library.refresh()
        #expect(try await library.volume("v0")?.assetIDs == (isBelieved ? ["v0m"] : ["v0m", "a"]))
        #expect(try await library.issue("v0i0")?.assetIDs == (isBelieved ? ["v0i0m"] : ["v0i0m", "b"]))
        #expect(try await library.article("v0i0a0")?.assetIDs.count == (isBelieved ? 1 : 3))
        for id in ["a", "b", "v0i0a0m0"] as [Asset.ID] {
            #expect(try await (library.asset(id) == nil) == isBelieved)
        }
        #expect(
            Set(report.keptLists.map(\.holder))
                == (isBelieved ? [] : [.volume("v0"), .issue("v0i0"), .article("v0i0a0")])
        )
    }

    @Test("an article whose list of assets is kept is not written if nothing else of it has changed")
    func nothingElse() async throws {
        let library = try await synced.open(.asks(beyond: 0) { _ in .keep })
        try await library.add(article: "v0i0a0")
        publisher.change { $0.articles[0].assetIDs.removeLast() }
        let report = try await library.refresh(article: "v0i0a0")
        #expect(report.keptLists.map(\.missing) == [["v0i0m"]])
        #expect(report.articles.isEmpty)
    }

    @Test("the issues of a volume stay, and are brought up to date, as long as its list is not believed")
    func issues() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.volumes[0].issueIDs = []
            catalogue.issues[0].title = "Changed"
            catalogue.put(catalogue.issues[0])
        }
        let report = try await library.refresh()
        #expect(report.keptLists.map(\.kind) == [.issues])
        #expect(try await library.issues.ofVolume("v0").ids() == ["v0i0", "v0i1"])
        #expect(try await library.issue("v0i0")?.title == "Changed")
        #expect(report.removed.isEmpty)
    }

    @Test("one that is empty is asked about, however much may be missing without a question")
    func empty() async throws {
        let library = try await synced.open(.asks(beyond: 1) { _ in .keep })
        try await library.addAllVolumes()
        for (rest, left) in [(1, 1), (0, 1)] {
            publisher.pause()
            publisher.change { catalogue in
                catalogue.issues[0].articles = Array(catalogue.issues[0].articles.prefix(rest))
                catalogue.put(catalogue.issues[0])
            }
            #expect(try await library.refresh().keptLists.isEmpty == (rest > 0))
            #expect(try await library.articles.inIssue("v0i0").count() == left)
        }
    }
}
