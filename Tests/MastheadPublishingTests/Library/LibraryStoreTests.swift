import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadSQLite
import Testing

@Suite("The library's store", .timeLimit(.minutes(1)))
struct LibraryStoreTests {
    private let folder: LibraryFolder

    init() throws {
        folder = try LibraryFolder()
    }

    private func model<Model: Decodable>(_ value: JSONValue) throws -> Model {
        try JSONDecoder().decode(Model.self, from: Wire.data(value))
    }

    @Test("gives back every field of every model, to the last microsecond")
    func roundTrip() async throws {
        let volume: Volume = try model(Wire.volume)
        let issue: Issue = try model(Wire.issue)
        let article: Article = try model(Wire.article)
        var asset: Asset = try model(Wire.asset)
        asset.source = "A. Lind"
        asset.customMetadata = CustomMetadata(text: "no JSON")
        let saved = asset
        let library = try await folder.open()
        try await library.apply {
            $0.save(saved)
            $0.save(article)
            $0.save(issue)
            $0.save(volume)
        }
        await library.close()
        let reopened = try await folder.open()
        #expect(try await reopened.volume("v1") == volume)
        #expect(try await reopened.issue("i1") == issue)
        #expect(try await reopened.article("a1") == article)
        #expect(try await reopened.asset("m1") == asset)
        #expect(try await reopened.articles(["a1", "none"]) == [article])
        #expect(try await reopened.assets(["none", "m1"]) == [asset])
        #expect(try await reopened.article("none") == nil)
    }

    @Test("gives back what leaves everything out")
    func bare() async throws {
        let library = try await folder.open()
        try await library.apply {
            $0.save(Volume(id: "v"))
            $0.save(Issue(id: "i"))
            $0.save(Article(id: "a"))
            $0.save(Asset(id: "m"))
        }
        #expect(try await library.volume("v") == Volume(id: "v"))
        #expect(try await library.issue("i") == Issue(id: "i"))
        #expect(try await library.article("a") == Article(id: "a"))
        #expect(try await library.asset("m") == Asset(id: "m"))
    }

    @Test("overwrites what it knows, and lets a bare id or a missing text take nothing away")
    func overwrites() async throws {
        let library = try await folder.open()
        let old = Article(id: "a", title: "Old", body: "<p>Text.</p>", keywords: ["tower"], assetIDs: ["m1", "m2"])
        try await library.apply { $0.save(old) }
        try await library.apply { $0.save(Article(id: "a")) }
        #expect(try await library.article("a") == old)
        try await library.apply { $0.save(Article(id: "a", title: "New", keywords: ["Türme"], assetIDs: ["m2"])) }
        let new = try #require(try await library.article("a"))
        #expect(new == Article(id: "a", title: "New", body: "<p>Text.</p>", keywords: ["Türme"], assetIDs: ["m2"]))
        #expect(try await library.articles.withKeyword(anyOf: ["tower"]).count() == 0)
        #expect(try await library.articles.withKeyword(anyOf: ["turme"]).count() == 1)
        let issue = Issue(id: "i", title: "T", articles: [.init(id: "a")], assetIDs: ["m1"])
        try await library.apply {
            $0.save(issue)
            $0.save(Issue(id: "i"))
            $0.save(Volume(id: "v", title: "T", issueIDs: ["i"]))
            $0.save(Volume(id: "v"))
        }
        #expect(try await library.issue("i")?.articleIDs == ["a"])
        #expect(try await library.volume("v")?.issueIDs == ["i"])
    }

    @Test("keeps the parents' order, whatever order things are saved in")
    func order() async throws {
        let library = try await folder.open()
        try await library.apply {
            $0.save([Article(id: "c"), Article(id: "a"), Article(id: "b")])
            $0.save(Issue(id: "i", title: "T", articles: ["b", "c", "b", "a", "z"].map { Article.Stub(id: $0) }))
            $0.save(Volume(id: "v", title: "T", issueIDs: ["i2", "i"]))
            $0.save(Issue(id: "i2", title: "T", volumeIDs: ["v"]))
        }
        #expect(try await library.articles.inIssue("i").ids() == ["b", "c", "a"])
        #expect(try await library.issue("i")?.articleIDs == ["b", "c", "a", "z"])
        #expect(try await library.issues.ofVolume("v").ids() == ["i2", "i"])
        // An issue's own answer leaves out its volumes, as most do.
        try await library.apply { $0.save(Issue(id: "i2", title: "New")) }
        #expect(try await library.issue("i2")?.volumeIDs == ["v"])
        try await library.apply { $0.save(Volume(id: "v", title: "T", issueIDs: ["i"])) }
        #expect(try await library.issues.ofVolume("v").ids() == ["i"])
        #expect(try await library.issue("i2")?.volumeIDs == [])
    }

    @Test("does all of a unit of work, or nothing of it")
    func wholeOrNothing() async throws {
        let library = try await folder.open()
        try await library.apply {
            $0.save(Issue(id: "i", title: "T"))
            $0.setPurchased(true, .issue("i"))
        }
        await #expect {
            try await library.apply {
                $0.save(Article(id: "a", title: "T"))
                $0.delete(issue: "i")
            }
        } throws: { error in
            if case LibraryError.purchased(.issue("i")) = error { true } else { false }
        }
        #expect(try await library.article("a") == nil)
        #expect(try await library.issue("i") != nil)
    }

    @Test("takes any text for an id", arguments: ["'; DROP TABLE article; --", "\" OR 1=1", "ü,/?%", "🙂", "a\u{0}b"])
    func hostileIDs(id: String) async throws {
        let library = try await folder.open()
        let article = Article(id: .init(id), title: "T", assetIDs: [.init(id)])
        try await library.apply {
            $0.save(Article(id: "other", title: "O"))
            $0.save(article)
            $0.save(Issue(id: .init(id), title: "T", articles: [.init(id: .init(id))]))
        }
        #expect(try await library.article(.init(id)) == article)
        #expect(try await library.articles.inIssue(.init(id)).ids() == [article.id])
        #expect(try await library.articles.ofAsset(.init(id)).ids() == [article.id])
        #expect(try await library.articles.where(.title, is: id).count() == 0)
    }

    @Test("is where its folder is, and holds no path")
    func moves() async throws {
        let library = try await folder.open()
        try await library.apply { $0.save(Asset(id: "m", caption: "C")) }
        try await library.take(folder.makeFile("a.JPG", "picture"), for: "m")
        await library.close()
        let moved = folder.parent.appending(path: "elsewhere")
        try FileManager.default.moveItem(at: folder.directory, to: moved)
        let reopened = try await Library(directory: moved)
        let file = try #require(try await reopened.file(of: "m"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "picture")
        #expect(file.pathExtension == "jpg")
        let bytes = try Data(contentsOf: moved.appending(path: "library.db"))
        #expect(bytes.firstRange(of: Data(folder.parent.lastPathComponent.utf8)) == nil)
    }

    @Test("leaves alone what a later version has made, and another program's file")
    func leavesAlone() async throws {
        let library = try await folder.open()
        await library.close()
        let later = LibrarySchema.schema.migrations + [Migration(to: 1000, "CREATE TABLE x (y)")]
        let schema = Schema(applicationID: LibrarySchema.applicationID, migrations: later)
        let newer = try await Library(directory: folder.directory, schema: schema)
        await newer.close()
        await #expect {
            _ = try await folder.open()
        } throws: { error in
            if case LibraryError.newerVersion = error { true } else { false }
        }
        let path = folder.parent.appending(path: "other").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let foreign = Database(
            path: path + "/library.db",
            schema: Schema(applicationID: 7, migrations: [Migration(to: 1, "CREATE TABLE x (y)")])
        )
        try await foreign.prepare()
        await foreign.close()
        await #expect {
            _ = try await Library(directory: URL(filePath: path))
        } throws: { error in
            if case LibraryError.unavailable = error { true } else { false }
        }
    }

    @Test("says damaged when it is, removes nothing, and begins anew only when told to")
    func damaged() async throws {
        let library = try await folder.open()
        try await library.apply { $0.save(Issue(id: "i", title: "T")) }
        await library.close()
        let file = folder.directory.appending(path: "library.db")
        try Data(repeating: 7, count: 40_000).write(to: file)
        let isDamaged: @Sendable (any Error) -> Bool = { error in
            if case LibraryError.damaged = error { true } else { false }
        }
        await #expect(performing: { _ = try await folder.open() }, throws: isDamaged)
        #expect(try Data(contentsOf: file).count == 40_000)
        let aside = try await Library.setDamagedAside(in: folder.directory)
        #expect(try Data(contentsOf: #require(aside)).count == 40_000)
        let fresh = try await folder.open()
        #expect(try await fresh.issues.count() == 0)
    }

    @Test("says closed when it is")
    func closed() async throws {
        let library = try await folder.open()
        await library.close()
        await #expect {
            try await library.apply { $0.save(Issue(id: "i")) }
        } throws: { error in
            if case LibraryError.closed = error { true } else { false }
        }
    }

    @Test("needs a folder's parent, and a file URL")
    func places() async throws {
        for url in [folder.parent.appending(path: "no/such"), try #require(URL(string: "https://example.org/"))] {
            await #expect {
                _ = try await Library(directory: url)
            } throws: { error in
                if case LibraryError.unavailable = error { true } else { false }
            }
        }
    }

    @Test("says what is wrong with a folder that is none", arguments: [true, false])
    func noFolder(isLink: Bool) async throws {
        let place = folder.parent.appending(path: "place")
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "/no/such")
        } else {
            try Data("x".utf8).write(to: place)
        }
        let reason = isLink ? "its folder is not there (errno 2)" : "what should be its folder is a file (errno 20)"
        await #expect {
            _ = try await Library(directory: place)
        } throws: { error in
            (error as? LibraryError)?.description == "the library cannot be used: \(reason)"
        }
    }
}
