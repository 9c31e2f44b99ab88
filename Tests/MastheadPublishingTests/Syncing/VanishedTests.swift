import CatalogueKit
import Foundation
import MastheadLock
import MastheadPublishing
import Testing

@Suite("What the publisher no longer has", .timeLimit(.minutes(1)))
struct VanishedTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    /// Takes articles out of an issue.
    private func drop(_ articles: Set<Article.ID>) {
        publisher.pause()
        publisher.change { catalogue in
            catalogue.issues[0].articles.removeAll { articles.contains($0.id) }
            catalogue.put(catalogue.issues[0])
        }
    }

    @Test("an article that its issue drops goes, with the assets that only it has")
    func article() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        drop(["v0i0a1"])
        let report = try await library.refresh()
        #expect(report.removed == [.article("v0i0a1")])
        #expect(report.keptLists.isEmpty)
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a0", "v0i0a2"])
        #expect(try await library.article("v0i0a1") == nil)
        #expect(try await library.asset("v0i0a1m0") == nil)
        #expect(try await library.asset("v0i0m") != nil)
    }

    @Test("what another issue holds, what stands alone, what was bought and what has files stays", arguments: 0..<4)
    func kept(reason: Int) async throws {
        if reason == 0 {
            publisher.change { catalogue in
                catalogue.issues[1].articles.append(Article.Stub(id: "v0i0a1"))
                catalogue.put(catalogue.issues[1])
            }
        }
        let library = try await synced.open()
        try await library.addAllVolumes()
        switch reason {
        case 1: try await library.add(article: "v0i0a1")
        case 2: try await library.apply { $0.setPurchased(true, .article("v0i0a1")) }
        case 3: try await library.take(synced.folder.makeFile("f.mp3"), for: "v0i0a1m1")
        default: break
        }
        drop(["v0i0a1"])
        let report = try await library.refresh()
        #expect(report.removed.isEmpty)
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a0", "v0i0a2"])
        #expect(try await library.article("v0i0a1") != nil)
        #expect(try await library.asset("v0i0a1m1") != nil)
    }

    @Test("an empty list takes nothing out, and a much shorter one neither", arguments: [1, 2, 3])
    func shrunken(dropped: Int) async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        let all: [Article.ID] = ["v0i0a0", "v0i0a1", "v0i0a2"]
        drop(Set(all.prefix(dropped)))
        let report = try await library.refresh()
        if dropped == 1 {
            #expect(report.removed == [.article("v0i0a0")])
            #expect(report.keptLists.isEmpty)
        } else {
            #expect(report.removed.isEmpty)
            #expect(report.keptLists.map(\.missing) == [all.prefix(dropped).map(\.rawValue)])
            #expect(report.keptLists.map(\.holder) == [.issue("v0i0")])
            #expect(report.keptLists.map(\.kind) == [.articles])
            #expect(report.keptLists.map(\.count) == [3 - dropped])
            #expect(try await Set(library.articles.inIssue("v0i0").ids()) == Set(all))
        }
    }

    @Test("the app is asked of such a list, and its answer is taken")
    func asks() async throws {
        let asked = Lock<[ShrunkenList]>([])
        let library = try await synced.open(
            .asks { list in
                asked.withLock { $0.append(list) }
                return list.isEmpty ? .keep : .unlink
            }
        )
        try await library.addAllVolumes()
        drop(["v0i0a0", "v0i0a1"])
        #expect(try await library.refresh().removed == [.article("v0i0a0"), .article("v0i0a1")])
        drop(["v0i0a2"])
        #expect(try await library.refresh().removed.isEmpty)
        #expect(asked.withLock { $0.map(\.count) } == [1, 0])
        #expect(try await library.articles.inIssue("v0i0").ids() == ["v0i0a2"])
    }

    @Test(
        "an issue that its volume drops goes once the server says that there is none of it",
        arguments: [false, true]
    )
    func issue(isStillThere: Bool) async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.volumes[0].issueIDs.removeFirst()
            if !isStillThere { catalogue.issues.removeFirst() }
        }
        let report = try await library.refresh()
        #expect(report.removed == (isStillThere ? [] : [.issue("v0i0")]))
        // That nothing is known of it is no news: it was asked for to be sure.
        #expect(report.unknown.isEmpty)
        #expect(try await library.issues.ofVolume("v0").ids() == ["v0i1"])
        #expect(try await (library.issue("v0i0") != nil) == isStillThere)
        #expect(try await (library.article("v0i0a0") != nil) == isStillThere)
    }

    @Test("an issue with files of its articles stays", arguments: ["v0i0m", "v0i0a1m0"])
    func downloadedIssue(asset: String) async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        try await library.take(synced.folder.makeFile("f.png"), for: Asset.ID(asset))
        publisher.pause()
        publisher.change { catalogue in
            catalogue.volumes[0].issueIDs.removeFirst()
            catalogue.issues.removeFirst()
        }
        #expect(try await library.refresh().removed.isEmpty)
        #expect(try await library.articles.inIssue("v0i0").count() == 3)
    }

    @Test("a volume goes when neither the list nor the server has it, if it was not bought", arguments: 0..<3)
    func volume(reason: Int) async throws {
        var catalogue = publisher.catalogue
        catalogue.put(Volume(id: "v2", title: "Third", issueIDs: ["v1i0"], isPublished: true))
        publisher.change { $0 = catalogue }
        let library = try await synced.open()
        try await library.addAllVolumes()
        if reason == 1 { try await library.apply { $0.setPurchased(true, .volume("v0")) } }
        publisher.pause()
        publisher.change { $0.volumes.removeFirst() }
        let report = try await library.refresh()
        #expect(report.removed == (reason == 1 ? [] : [.volume("v0")]))
        // Its issues are published still.
        #expect(try await library.issues.count() == 4)
        if reason == 2 {
            publisher.change { $0.volumes = [] }
            #expect(try await library.refresh().keptLists.map(\.kind) == [.volumes])
            #expect(try await library.volumes.count() == 2)
        }
    }

    @Test("a volume's issues go with it if the server has none of them, and stay if they were bought")
    func wholeVolume() async throws {
        let library = try await synced.open(.believes)
        try await library.addAllVolumes()
        try await library.apply { $0.setPurchased(true, .issue("v0i1")) }
        publisher.pause()
        publisher.change { catalogue in
            catalogue.volumes.removeFirst()
            catalogue.issues.removeAll { $0.id.rawValue.hasPrefix("v0") }
        }
        let report = try await library.refresh()
        #expect(Set(report.removed) == [.volume("v0"), .issue("v0i0")])
        #expect(try await Set(library.issues.ids()) == ["v0i1", "v1i0", "v1i1"])
        #expect(try await library.articles.inIssue("v0i1").count() == 3)
    }

    @Test("a volume that no list names stays as long as the server has it", arguments: [false, true])
    func unlistedVolume(refreshes: Bool) async throws {
        publisher.change { $0.unlisted = ["v1"] }
        let library = try await synced.open()
        try await library.add(volume: "v0")
        try await library.add(volume: "v1")
        for isStillThere in [true, false] {
            if !isStillThere { publisher.change { $0.volumes.removeLast() } }
            let report = refreshes ? try await library.refresh() : try await library.addAllVolumes()
            #expect(report.removed == (isStillThere ? [] : [.volume("v1")]))
            #expect(try await library.volumes.count() == (isStillThere ? 2 : 1))
        }
    }

    @Test("a page of the list of volumes says nothing of those on other pages")
    func pageOfVolumes() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.change { $0.volumes.removeFirst() }
        #expect(try await library.addAllVolumes(page: 1, limit: 1).removed.isEmpty)
        #expect(try await library.volumes.count() == 2)
    }

    @Test("an issue that the server no longer has stays as long as another volume lists it")
    func heldIssue() async throws {
        publisher.change { $0.volumes[1].issueIDs.append("v0i0") }
        let library = try await synced.open()
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.volumes[0].issueIDs.removeFirst()
            catalogue.issues.removeFirst()
        }
        #expect(try await library.refresh().removed.isEmpty)
        #expect(try await library.issue("v0i0") != nil)
    }

    @Test("an issue in no volume goes once the server says that there is none of it")
    func looseIssue() async throws {
        publisher.change { $0.saysDate = false }
        let library = try await synced.open()
        try await library.add(issue: "v0i0")
        publisher.pause()
        publisher.change { $0.issues.removeFirst() }
        let report = try await library.refresh()
        #expect(report.removed == [.issue("v0i0")])
        #expect(try await library.contents() == Contents(StubCatalogue()))
        #expect(try await library.refresh().unknown.isEmpty)
    }

    @Test("an asset that an article drops goes, and one with a file stays")
    func assetOfArticle() async throws {
        let library = try await synced.open()
        try await library.addAllVolumes()
        try await library.take(synced.folder.makeFile("f.mp3"), for: "v0i0a1m1")
        publisher.pause()
        publisher.change { catalogue in
            catalogue.articles[0].assetIDs = ["v0i0m", "v0i0a0m1"]
            catalogue.put(catalogue.articles[0])
            catalogue.articles[1].assetIDs = ["v0i0m", "v0i0a1m0"]
            catalogue.put(catalogue.articles[1])
        }
        try await library.refresh()
        #expect(try await library.article("v0i0a0")?.assetIDs == ["v0i0m", "v0i0a0m1"])
        #expect(try await library.asset("v0i0a0m0") == nil)
        #expect(try await library.asset("v0i0a1m1") != nil)
    }
}
