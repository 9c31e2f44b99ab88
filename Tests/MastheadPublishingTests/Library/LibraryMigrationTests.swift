import CatalogueKit
import Foundation
import MastheadPublishing
import MastheadSQLite
import Testing

@Suite("The library's schema", .timeLimit(.minutes(1)))
struct LibraryMigrationTests {
    private let folder: LibraryFolder

    init() throws {
        folder = try LibraryFolder()
    }

    /// The schema as it was when a version was the last.
    private func schema(version: Int) -> Schema {
        Schema(
            applicationID: LibrarySchema.applicationID,
            migrations: Array(LibrarySchema.schema.migrations.prefix(version))
        )
    }

    @Test("has a step for each version, one after the other, and leads to one form from each of them")
    func steps() async throws {
        var forms: Set<[String]> = []
        for version in 0...LibrarySchema.schema.migrations.count {
            let folder = try LibraryFolder()
            if version > 0 {
                let old = try await Library(directory: folder.directory, schema: schema(version: version))
                await old.close()
            }
            let library = try await folder.open()
            await library.close()
            let file = Database(path: folder.directory.path + "/library.db")
            let form = try await file.read { connection throws(DatabaseError) in
                try connection.all("SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1") { row in
                    row[0] as String
                }
            }
            forms.insert(form)
            #expect(form.count > 20)
            await file.close()
        }
        #expect(forms.count == 1)
    }

    /// A file as version 1 left it, with one volume, one issue and one article.
    private func makeFirst() async throws {
        let old = try await Library(directory: folder.directory, schema: schema(version: 1))
        await old.close()
        let file = Database(path: folder.directory.path + "/library.db")
        try await file.write { connection throws(DatabaseError) in
            try connection.execute(
                """
                INSERT INTO volume (id, title, subtitle, summary, isMetadataText, releaseDate, isPublished, publisher)
                    VALUES ('v', 'V', '', '', 0, '', 1, '');
                INSERT INTO issue (id, title, summary, isMetadataText, isPublished, displayDate)
                    VALUES ('i', 'I', '', 0, 1, '');
                INSERT INTO article (
                    id, title, slug, summary, authorName, authorBio, section, type, commentary, isMetadataText, isFeatured,
                    isPublished
                ) VALUES ('a', 'A', '', '', 'Okafor', '', '', '', '', 0, 0, 1);
                INSERT INTO article_body VALUES (1, '<p>Low&nbsp;water</p>');
                INSERT INTO asset (id, caption, source, kind, isMetadataText) VALUES ('m', 'A bell', '', 'image', 0);
                INSERT INTO volume_issue (parent, placement, child) VALUES ('v', 1, 'i');
                INSERT INTO issue_article (parent, placement, child) VALUES ('i', 1, 'a');
                INSERT INTO article_asset (parent, placement, child) VALUES ('a', 1, 'm');
                """
            )
        }
        await file.close()
    }

    @Test("step 1 has a place for everything the models say, and it is there after all steps that follow")
    func first() async throws {
        try await makeFirst()
        let library = try await folder.open()
        #expect(try await library.volume("v")?.issueIDs == ["i"])
        #expect(try await library.issue("i")?.articleIDs == ["a"])
        #expect(
            try await library.article("a")
                == Article(
                    id: "a",
                    title: "A",
                    body: "<p>Low&nbsp;water</p>",
                    authorName: "Okafor",
                    assetIDs: ["m"],
                    isPublished: true
                )
        )
    }

    @Test("step 2 indexes what is there")
    func second() async throws {
        try await makeFirst()
        let library = try await folder.open()
        for text in ["\"low water\"", "author:okafor", "captions:bell"] {
            #expect(try await library.search(text).map(\.id) == ["a"])
        }
        // And its rows can be taken out again.
        try await library.apply { $0.save(Article(id: "a", title: "A", body: "High")) }
        #expect(try await library.search("low").isEmpty)
        try await library.apply { $0.delete(article: "a") }
        #expect(try await library.search("high").isEmpty)
    }

    @Test("step 3 has a place for how current a catalogue is, of which nothing is known yet")
    func third() async throws {
        try await makeFirst()
        let publisher = StubPublisher(StubCatalogue(volumes: 1, issues: 1, articles: 2))
        publisher.pause()
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        try await library.add(volume: "v0")
        try await library.refresh()
        #expect(!publisher.targets.contains { $0.contains("since") })
        publisher.pause()
        try await library.refresh()
        #expect(publisher.targets.contains { $0.contains("since") })
    }

    @Test("step 4 leaves what is indexed so, and lets what is saved wait for it")
    func fourth() async throws {
        try await makeFirst()
        let library = try await folder.open()
        #expect(try await library.indexState().isComplete)
        try await library.apply {
            $0.indexing = .later
            $0.save(Article(id: "b", title: "Tide"))
        }
        #expect(try await library.search("tide").isEmpty)
        try await library.buildIndex()
        #expect(try await library.search("tide").map(\.id) == ["b"])
    }

    @Test("step 5 has a place for what a file was fetched of, and does not ask for those again that are here")
    func fifth() async throws {
        try await makeFirst()
        let file = Database(path: folder.directory.path + "/library.db")
        try await file.write { connection throws(DatabaseError) in
            try connection.execute(
                """
                UPDATE asset SET updated = 800000000 WHERE id = 'm';
                INSERT INTO asset_file (asset, role, name) VALUES ('m', 2, 'bell.png');
                """
            )
        }
        await file.close()
        let publisher = StubPublisher()
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        #expect(try await library.fetchFile(of: "m").lastPathComponent == "bell.png")
        #expect(publisher.targets.isEmpty)
    }
}
