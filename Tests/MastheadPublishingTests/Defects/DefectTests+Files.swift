import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadSQLite
import MastheadTesting
import Testing

// Defects 14 to 17, 20 and 27: the library's file, and those of assets.
extension DefectTests {
    private func asset(_ id: Asset.ID, _ file: String) -> Asset {
        Asset(
            id: id,
            caption: "C",
            kind: .image,
            cdnURL: URL(string: "https://cdn.example.org/\(file)"),
            cdnThumbnailURL: URL(string: "https://cdn.example.org/thumbs/\(file)")
        )
    }

    /// The library as an app would have it whose last step leads to another form.
    private func open(withStep sql: SQL) async throws(LibraryError) -> Library {
        let steps = LibrarySchema.schema.migrations
        return try await Library(
            directory: folder.directory,
            schema: Schema(
                applicationID: LibrarySchema.applicationID,
                migrations: steps + [Migration(to: Int32(steps.count + 1), sql)]
            )
        )
    }

    @Test("defect 14: a step to another form that fails changes nothing, and a later form is left alone")
    func defect14() async throws {
        let first = try await folder.open()
        try await first.apply { $0.save(Article(id: "a1", title: "A", body: "text")) }
        await first.close()
        await #expect(throws: LibraryError.self) {
            _ = try await open(withStep: "DELETE FROM article; CREATE TABLE article (id)")
        }
        let library = try await folder.open()
        #expect(try await library.article("a1")?.body == "text")
        await library.close()
        let later = try await open(withStep: "CREATE TABLE later (id)")
        await later.close()
        await #expect {
            _ = try await folder.open()
        } throws: { error in
            if case LibraryError.newerVersion = error { true } else { false }
        }
        await #expect(throws: LibraryError.self) { try await Library.setDamagedAside(in: folder.directory) }
        let again = try await open(withStep: "CREATE TABLE later (id)")
        #expect(try await again.article("a1")?.body == "text")
    }

    @Test("defect 15: files of one name are two files")
    func defect15() async throws {
        let library = try await open(asking: StubExecutor { request in .text(request.url.absoluteString) })
        let assets = [
            asset("m1", "2026/cover.jpg"), asset("m2", "2027/cover.jpg"), asset("m3", "2026/cover.jpg?size=2"),
        ]
        try await library.apply { $0.save(assets) }
        for asset in assets {
            for role in [AssetRole.original, .thumbnail] { _ = try await library.fetchFile(of: asset.id, role) }
        }
        #expect(Set(folder.fileNames).count == 6)
        for asset in assets {
            let file = try #require(try await library.file(of: asset.id))
            #expect(try String(contentsOf: file, encoding: .utf8) == asset.cdnURL?.absoluteString)
        }
        try await library.apply { $0.delete(asset: "m1") }
        #expect(folder.fileNames.count == 4)
        #expect(try await library.file(of: "m3", .thumbnail) != nil)
    }

    @Test("defect 16: a page that says that something went wrong is no picture", arguments: [404, 500, 301])
    func defect16(status: Int) async throws {
        let failing = try await open(asking: StubExecutor { _ in .text("<html>Sorry</html>", status: status) })
        let model = asset("m1", "a.jpg")
        try await failing.apply { $0.save(model) }
        #expect(try await refusal { try await failing.fetchFile(of: "m1") } != nil)
        #expect(try await failing.file(of: "m1", .thumbnail) == nil)
        #expect(folder.fileNames.isEmpty)
        let library = try await open(asking: StubExecutor { _ in .text("picture") })
        let file = try await library.fetchFile(of: "m1")
        #expect(try String(contentsOf: file, encoding: .utf8) == "picture")
        #expect(folder.fileNames.count == 1)
    }

    @Test("defect 17: a file that cannot be moved is an error, and the old one stays")
    func defect17() async throws {
        let library = try await folder.open()
        try await library.apply { $0.save(Asset(id: "m1", caption: "C")) }
        try await library.take(folder.makeFile("a.jpg", "old"), for: "m1")
        let missing = folder.parent.appending(path: "missing.jpg")
        await #expect(throws: LibraryError.self) { try await library.take(missing, for: "m1") }
        let file = try #require(try await library.file(of: "m1"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        // Where the files should be, there is something else.
        let files = folder.directory.appending(path: "files")
        try FileManager.default.moveItem(at: files, to: folder.parent.appending(path: "aside"))
        try Data().write(to: files)
        let new = try folder.makeFile("b.jpg", "new")
        await #expect(throws: LibraryError.self) { try await library.take(new, for: "m1") }
        #expect(try String(contentsOf: new, encoding: .utf8) == "new")
        #expect(try await library.file(of: "m1")?.lastPathComponent == file.lastPathComponent)
    }

    @Test("defect 20: a thumbnail is fetched when it is asked for, once, and not by a sync")
    func defect20() async throws {
        let (library, server) = try await open([
            "articles/a1": #"{"articles":[{"id":"a1","body":"x","media":[{"id":"m1"}]}]}"#,
            "media/m1": JSONValue.object(["media": [Wire.asset]]).text,
            "t/lamp.jpg": "1",
        ])
        func files() -> Int { server.requests.count { $0.url.host == "cdn.example.org" } }
        try await library.add(article: "a1")
        #expect(files() == 0)
        let file = try await library.fetchFile(of: "m1")
        #expect(try await library.fetchFile(of: "m1") == file)
        #expect(try await library.file(of: "m1", .thumbnail) == file)
        for _ in 0..<2 {
            try await library.add(article: "a1")
            try await library.refresh(article: "a1")
        }
        #expect(try await library.fetchFile(of: "m1") == file)
        #expect(files() == 1)
    }

    @Test(
        "defect 27: no id and no address leads out of the folder of files",
        arguments: ["../../../outside", "/etc/hostname", "..", "a/../../outside", "x\u{0}y", "outside"]
    )
    func defect27(text: String) async throws {
        let outside = try folder.makeFile("outside", "not the library's")
        let library = try await open(asking: StubExecutor { _ in .text("picture") })
        let url = URL(string: "https://cdn.example.org/..%2F..%2F..%2Foutside")
        let id = Asset.ID(text)
        try await library.apply {
            $0.save(Asset(id: id, caption: "C", url: url, thumbnailURL: url))
            $0.save(Asset(id: "other", caption: "C"))
        }
        try await library.take(folder.makeFile("x.jpg"), for: "other")
        for role in [AssetRole.original, .thumbnail] {
            let file = try await library.fetchFile(of: id, role)
            let parent = file.deletingLastPathComponent().standardizedFileURL.path
            #expect(parent == folder.directory.appending(path: "files").standardizedFileURL.path)
        }
        #expect(folder.fileNames.count == 3)
        try await library.apply { $0.delete(asset: id) }
        #expect(folder.fileNames.count == 1)
        #expect(try await library.file(of: "other") != nil)
        #expect(try String(contentsOf: outside, encoding: .utf8) == "not the library's")
    }
}
