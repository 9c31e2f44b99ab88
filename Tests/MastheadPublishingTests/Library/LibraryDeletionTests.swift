import Foundation
import MastheadPublishing
import Testing

@Suite("Deleting from the library", .timeLimit(.minutes(1)))
struct LibraryDeletionTests {
    private let folder: LibraryFolder
    private let library: Library

    init() async throws {
        folder = try LibraryFolder()
        library = try await folder.open()
        try await library.apply {
            $0.save(["cover", "shared", "own", "volume", "issue"].map { Asset(id: $0, caption: "C") })
            $0.save(Volume(id: "v1", title: "V", keywords: ["w"], assetIDs: ["volume"], issueIDs: ["i1", "i2"]))
            $0.save(Volume(id: "v2", title: "V", issueIDs: ["i2"]))
            $0.save([
                Issue(
                    id: "i1",
                    title: "I",
                    coverPhoneID: "cover",
                    articles: ["own", "both"].map { .init(id: $0) },
                    assetIDs: ["issue"]
                ),
                Issue(id: "i2", title: "I", articles: [.init(id: "both")]),
            ])
            $0.save([
                Article(id: "own", title: "A", body: "x", keywords: ["w"], assetIDs: ["own", "shared"]),
                Article(id: "both", title: "A", assetIDs: ["shared"]),
                Article(id: "alone", title: "A", assetIDs: ["shared"]),
            ])
        }
    }

    private func articles() async throws -> Set<Article.ID> { Set(try await library.articles.ids()) }
    private func assets() async throws -> Set<Asset.ID> { Set(try await library.assets.ids()) }

    @Test("an issue takes along what only it holds")
    func issue() async throws {
        try await library.apply { $0.delete(issue: "i1") }
        #expect(try await library.issue("i1") == nil)
        #expect(try await articles() == ["both", "alone"])
        #expect(try await assets() == ["shared", "volume"])
        #expect(try await library.volume("v1")?.issueIDs == ["i2"])
        #expect(try await library.articles.withKeyword(anyOf: ["w"]).count() == 0)
    }

    @Test("a volume takes along what only it holds")
    func volume() async throws {
        try await library.apply { $0.delete(volume: "v1") }
        #expect(Set(try await library.issues.ids()) == ["i2"])
        #expect(try await articles() == ["both", "alone"])
        #expect(try await assets() == ["shared"])
        #expect(try await library.volumes.withKeyword(anyOf: ["w"]).count() == 0)
        try await library.apply { $0.delete(volume: "v2") }
        #expect(try await library.issues.count() == 0)
        #expect(try await articles() == ["alone"])
        #expect(try await assets() == ["shared"])
    }

    @Test("the articles of an issue go, and the issue stays")
    func articlesOfIssue() async throws {
        try await library.apply { $0.delete(articlesOf: "i1") }
        #expect(try await library.issue("i1")?.articles == [])
        #expect(try await articles() == ["both", "alone"])
        #expect(try await assets().contains("cover"))
        #expect(try await library.articles.inIssue("i2").ids() == ["both"])
    }

    @Test("an article and an asset go from everything that holds them (defect 23)")
    func single() async throws {
        try await library.apply { $0.delete(article: "both") }
        #expect(try await library.issue("i1")?.articleIDs == ["own"])
        #expect(try await library.issue("i2")?.articleIDs == [])
        try await library.apply {
            $0.delete(asset: "shared")
            $0.delete(asset: "cover")
        }
        #expect(try await library.article("alone")?.assetIDs == [])
        #expect(try await library.assets.ofArticle("own").count() == 1)
        #expect(try await library.issue("i1")?.coverPhoneID == nil)
        try await library.apply { $0.delete(article: "none") }
    }

    @Test("an article that stood on its own outlives the issue that holds it later")
    func loner() async throws {
        try await library.apply { $0.save(Issue(id: "i3", title: "I", articles: [.init(id: "alone")])) }
        try await library.apply { $0.delete(issue: "i3") }
        #expect(try await articles().contains("alone"))
        // One that came with an issue, even before it in the same breath, does not.
        try await library.apply {
            $0.save(Article(id: "late", title: "A"))
            $0.save(Issue(id: "i4", title: "I", articles: [.init(id: "late")]))
        }
        try await library.apply { $0.delete(issue: "i4") }
        #expect(try await !articles().contains("late"))
    }

    @Test("what was bought refuses, and lives on when what holds it goes; by force it goes too")
    func purchased() async throws {
        try await library.apply {
            $0.setPurchased(true, .volume("v1"))
            $0.setPurchased(true, .issue("i1"))
            $0.setPurchased(true, .article("own"))
        }
        for item in [.volume("v1"), .issue("i1"), .article("own")] as [LibraryItem] {
            await #expect {
                try await library.apply {
                    switch item {
                    case .volume(let id): $0.delete(volume: id)
                    case .issue(let id): $0.delete(issue: id)
                    case .article(let id): $0.delete(article: id)
                    }
                }
            } throws: { error in
                if case LibraryError.purchased(item) = error { true } else { false }
            }
        }
        #expect(try await articles() == ["own", "both", "alone"])
        try await library.apply { $0.setPurchased(false, .volume("v1")) }
        try await library.apply { $0.delete(volume: "v1") }
        #expect(try await library.issue("i1") != nil)
        try await library.apply { $0.setPurchased(false, .issue("i1")) }
        try await library.apply { $0.delete(issue: "i1") }
        #expect(try await articles() == ["own", "both", "alone"])
        #expect(try await library.articles.where(.isPurchased, is: true).ids() == ["own"])
        try await library.apply { $0.delete(article: "own", force: true) }
        #expect(try await articles() == ["both", "alone"])
    }

    @Test("the files go with the asset, after the commit, and no other's do (defects 15 and 27)")
    func files() async throws {
        // Two of one name, and a name that would lead elsewhere.
        try await library.take(folder.makeFile("same.jpg", "own"), for: "own")
        try await library.take(folder.makeFile("same.jpg", "shared"), for: "shared")
        try await library.take(folder.makeFile("thumb.png", "t"), for: "own", .thumbnail)
        #expect(folder.fileNames.count == 3)
        let file = try #require(try await library.file(of: "shared"))
        try await library.apply { $0.delete(issue: "i1") }
        #expect(folder.fileNames == [file.lastPathComponent])
        #expect(try String(contentsOf: file, encoding: .utf8) == "shared")
        #expect(try await library.file(of: "own") == nil)
    }

    @Test("a new file takes the old one's place, and an unknown asset gets none")
    func replaces() async throws {
        try await library.take(folder.makeFile("a.jpg", "old"), for: "own")
        try await library.take(folder.makeFile("b.jpg", "new"), for: "own")
        #expect(folder.fileNames.count == 1)
        #expect(try String(contentsOf: #require(try await library.file(of: "own")), encoding: .utf8) == "new")
        let file = try folder.makeFile("c.jpg")
        await #expect(throws: LibraryError.self) { try await library.take(file, for: "none") }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("takes no folder for a file, no link, and nothing from elsewhere")
    func noFiles() async throws {
        let file = try folder.makeFile("a.jpg")
        let link = folder.parent.appending(path: "link.jpg")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let web = try #require(URL(string: "https://example.org" + file.path))
        for url in [folder.parent.appending(path: "library"), link, web, folder.parent.appending(path: "none.jpg")] {
            await #expect {
                try await library.take(url, for: "own")
            } throws: { error in
                if case LibraryError.unavailable = error { true } else { false }
            }
        }
        #expect(try await library.file(of: "own") == nil)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a refused deletion removes no file")
    func refusedFiles() async throws {
        try await library.take(folder.makeFile("a.jpg"), for: "own")
        try await library.apply { $0.setPurchased(true, .issue("i2")) }
        await #expect(throws: LibraryError.self) {
            try await library.apply {
                $0.delete(asset: "own")
                $0.delete(issue: "i2")
            }
        }
        #expect(folder.fileNames.count == 1)
        #expect(try await library.file(of: "own") != nil)
    }
}
