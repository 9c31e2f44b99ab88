import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("Bringing a library up to date", .timeLimit(.minutes(1)))
struct SyncTests {
    private let synced: SyncedFolder

    init() throws {
        synced = try SyncedFolder()
    }

    private var publisher: StubPublisher { synced.publisher }

    @Test("adds a volume with all that it holds, and nothing else")
    func volume() async throws {
        let library = try await synced.open()
        let report = try await library.add(volume: "v0")
        let catalogue = publisher.catalogue
        #expect(try await library.volume("v0") == catalogue.volumes[0])
        #expect(try await library.issues.ofVolume("v0").ids() == ["v0i0", "v0i1"])
        #expect(try await library.articles.inIssue("v0i1").bodies().all() == Array(catalogue.articles[3..<6]))
        #expect(try await library.assets.count() == 1 + 2 + 12)
        #expect(try await library.volumes.count() == 1)
        #expect(report.volumes == ["v0"])
        #expect(report.issues == ["v0i0", "v0i1"])
        #expect(report.articles.count == 6)
        #expect(report.assets.count == 15)
        #expect(report.requestCount == publisher.targets.count)
        #expect(report.unknown.isEmpty && report.removed.isEmpty && report.keptLists.isEmpty)
    }

    @Test("adds the whole catalogue", arguments: [false, true])
    func everything(listsOnlyIDs: Bool) async throws {
        publisher.change { $0.listsOnlyIDs = listsOnlyIDs }
        let library = try await synced.open()
        let report = try await library.addAllVolumes()
        #expect(try await library.contents() == Contents(publisher.catalogue))
        #expect(report.requestCount == publisher.targets.count)
    }

    @Test("adds by what a store sells")
    func skus() async throws {
        let library = try await synced.open()
        try await library.add(volumeSKU: "org.example.v0")
        try await library.add(issueSKU: "org.example.v1i0")
        try await library.add(articleSKU: "org.example.v1i1a0")
        #expect(try await library.volumes.ids() == ["v0"])
        #expect(try await Set(library.issues.ids()) == ["v0i0", "v0i1", "v1i0"])
        #expect(try await library.article("v1i1a0") == publisher.catalogue.articles.first { $0.id == "v1i1a0" })
        #expect(try await library.articles.count() == 6 + 3 + 1)
    }

    @Test("says what the server does not know", arguments: [0, 1, 2])
    func unknown(kind: Int) async throws {
        let library = try await synced.open()
        let expected: [any Error & Sendable] = [
            VolumeError.unknownVolume, IssueError.unknownIssue, ArticleError.unknownArticle,
        ]
        do throws(LibraryError) {
            switch kind {
            case 0: try await library.add(volume: "none")
            case 1: try await library.add(issue: "none")
            default: try await library.add(article: "none")
            }
            Testing.Issue.record("nothing was thrown")
        } catch {
            guard case .catalogue(.customError(let custom)) = error else { throw error }
            #expect("\(custom)" == "\(expected[kind])")
        }
        #expect(try await library.contents() == Contents(StubCatalogue()))
    }

    @Test("a library without a catalogue says what it lacks")
    func noCatalogue() async throws {
        let library = try await synced.folder.open()
        do throws(LibraryError) {
            try await library.refresh()
            Testing.Issue.record("nothing was thrown")
        } catch {
            guard case .catalogue(.invalidConfiguration(let reason)) = error else { throw error }
            #expect(reason.contains("catalogue"))
        }
    }

    @Test("an issue comes without its articles if they are not wanted, and stays so until they are")
    func withoutArticles() async throws {
        let library = try await synced.open()
        try await library.add(issue: "v0i0", withArticles: false)
        #expect(try await library.issue("v0i0") == publisher.catalogue.issues.first { $0.id == "v0i0" })
        #expect(try await library.articles.count() == 0)
        publisher.change { $0.put(Article.sample("v0i0a1", on: $0.now)) }
        publisher.change { catalogue in catalogue.put(catalogue.issues[0]) }
        try await library.refresh()
        #expect(try await library.articles.count() == 0)
        try await library.add(issue: "v0i0")
        #expect(try await library.articles.count() == 3)
    }

    @Test("an article that was added by itself outlives the issue that holds it", arguments: [false, true])
    func loner(isOfList: Bool) async throws {
        let library = try await synced.open()
        try await library.add(issue: "v0i0")
        if isOfList {
            try await library.addAllArticles(page: 2, limit: 1)
        } else {
            try await library.add(article: "v0i0a1")
        }
        // To say it again writes nothing.
        let before = try synced.log()
        if isOfList {
            try await library.addAllArticles(page: 2, limit: 1)
        } else {
            try await library.add(article: "v0i0a1")
        }
        #expect(try synced.log() == before)
        try await library.apply { $0.delete(issue: "v0i0") }
        #expect(try await library.articles.ids() == ["v0i0a1"])
    }

    @Test("adds lists of issues and articles, by page and since a date")
    func lists() async throws {
        let library = try await synced.open()
        try await library.addAllIssues(page: 2, limit: 3, withArticles: false)
        #expect(try await library.issues.ids() == ["v1i1"])
        publisher.change { $0.put(Article.sample("late", on: $0.now)) }
        let date = publisher.catalogue.now
        try await library.addAllArticles(since: date)
        #expect(try await library.articles.ids() == ["late"])
        try await library.addAllArticles(page: 1, limit: 2)
        #expect(try await Set(library.articles.ids()) == ["v0i0a0", "v0i0a1", "late"])
        try await library.addAllArticles(where: "section", equals: "News", page: 3, limit: 2)
        #expect(try await library.articles.count() == 5)
        try await library.addAllIssues()
        #expect(try await library.articles.count() == 13)
        #expect(publisher.targets.contains { $0.hasPrefix("articles/section/News") })
    }

    @Test("drafts come to a catalogue that shows previews, and only there")
    func previews() async throws {
        publisher.change { catalogue in
            catalogue.issues[0].isPublished = false
            catalogue.articles[0].isPublished = false
            catalogue.articles[3].isPublished = false
        }
        let library = try await synced.open(showsPreviews: true)
        try await library.addAllIssues(.previews)
        #expect(try await library.issues.ids() == ["v0i0"])
        try await library.addAllArticles(.previews)
        #expect(try await library.articles.count() == 4)
        publisher.pause()
        publisher.change { catalogue in
            catalogue.issues[0].title = "Changed"
            catalogue.put(catalogue.issues[0])
        }
        try await library.refresh()
        #expect(try await library.issue("v0i0")?.title == "Changed")
        // Once it is known since when, what changed since is asked for.
        try await library.addAllVolumes()
        publisher.pause()
        publisher.change { catalogue in
            catalogue.issues[0].title = "Changed again"
            catalogue.put(catalogue.issues[0])
            // Its issue says nothing of it.
            catalogue.articles[3].title = "Changed too"
            catalogue.put(catalogue.articles[3])
        }
        try await library.refresh()
        #expect(publisher.targets.count { $0.contains("since") } == 3)
        #expect(try await library.issue("v0i0")?.title == "Changed again")
        #expect(try await library.article("v0i1a0")?.title == "Changed too")
    }

    @Test("fetches a cover when it is to be shown, once")
    func covers() async throws {
        let url = URL(string: "https://cdn.example.org/files/cover.png")
        publisher.change { $0.put(Asset(id: "v0m", kind: .image, cdnThumbnailURL: url)) }
        let library = try await synced.open()
        try await library.add(volume: "v0")
        #expect(try await library.file(of: "v0m", .thumbnail) == nil)
        let file = try await library.fetchFile(of: "v0m")
        #expect(try String(contentsOf: file, encoding: .utf8) == "cover.png")
        #expect(file.pathExtension == "png")
        #expect(try await library.fetchFile(of: "v0m") == file)
        #expect(publisher.targets.count { $0.hasPrefix("files") } == 1)
        // When it was changed, it is fetched again; as long as that fails, the old one serves.
        publisher.change { catalogue in
            catalogue.put(Asset(id: "v0m", caption: "New", kind: .image, cdnThumbnailURL: url))
            catalogue.volumes[0].title = "New"
        }
        try await library.refresh()
        publisher.change { $0.answersLeft = 0 }
        #expect(try await library.fetchFile(of: "v0m") == file)
        publisher.change { $0.answersLeft = .max }
        let new = try await library.fetchFile(of: "v0m")
        #expect(new != file)
        #expect(try await library.fetchFile(of: "v0m") == new)
        #expect(synced.folder.fileNames.count == 1)
        // That it cannot be kept is not the publisher's doing, and is said.
        publisher.change { $0.put(Asset(id: "v0m", caption: "Newest", kind: .image, cdnThumbnailURL: url)) }
        try await library.apply { [asset = publisher.catalogue.assets.last { $0.id == "v0m" }] in
            if let asset { $0.save(asset) }
        }
        let files = synced.folder.directory.appending(path: "files")
        let aside = synced.folder.directory.appending(path: "aside")
        try FileManager.default.moveItem(at: files, to: aside)
        try Data().write(to: files)
        await #expect(throws: LibraryError.self) { try await library.fetchFile(of: "v0m") }
        try FileManager.default.removeItem(at: files)
        try FileManager.default.moveItem(at: aside, to: files)
        #expect(try await library.fetchFile(of: "v0m") != new)
        for (asset, expected) in [("v0m", AssetError.withoutFile), ("none", .unknownAsset)] {
            do throws(LibraryError) {
                _ = try await library.fetchFile(of: Asset.ID(asset), .original)
                Testing.Issue.record("nothing was thrown")
            } catch {
                guard case .catalogue(.customError(let custom)) = error else { throw error }
                #expect(custom as? AssetError == expected)
            }
        }
    }
}
