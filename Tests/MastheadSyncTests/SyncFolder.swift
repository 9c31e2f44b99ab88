import CatalogueKit
import Foundation
import MastheadPublishing
import MastheadSQLite
import Testing

/// A folder for a library that several processes have; it goes with the test.
final class SyncFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "masthead-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The library, with a publisher's catalogue.
    func open(_ publisher: StubPublisher? = nil) async throws(LibraryError) -> Library {
        try await Library(
            directory: URL(filePath: path).appending(path: "library"),
            catalogue: publisher?.repositories(),
            shrinkage: .believes
        )
    }

    /// Makes sure that what is there is whole: each issue has its articles, each article its assets, its text in the index.
    func expectWhole() async throws {
        let file = path + "/library/library.db"
        guard FileManager.default.fileExists(atPath: file) else { return }
        let database = Database(path: file)
        try await database.read { (connection) throws(DatabaseError) in
            #expect(try connection.value("PRAGMA integrity_check") == "ok")
            guard try connection.value("PRAGMA user_version", as: Int.self) ?? 0 > 0 else { return }
            for (statement, what) in Self.mustBeNone {
                #expect(try connection.value(.dynamic("SELECT count(*) FROM \(statement)")) == 0, "\(what)")
            }
        }
        await database.close()
    }

    private static let mustBeNone = [
        (
            """
            issue_article r JOIN issue i ON i.id = r.parent LEFT JOIN article a ON a.id = r.child WHERE a.id IS NULL
            """, "an issue without one of its articles"
        ),
        (
            """
            article_asset r JOIN article a ON a.id = r.parent LEFT JOIN asset m ON m.id = r.child WHERE m.id IS NULL
            """, "an article without one of its assets"
        ),
        ("article WHERE number NOT IN (SELECT number FROM article_body)", "an article without its text"),
        ("article WHERE number NOT IN (SELECT rowid FROM article_text)", "an article that is not found"),
        ("article_text WHERE rowid NOT IN (SELECT number FROM article)", "what is found and is not there"),
    ]
}
