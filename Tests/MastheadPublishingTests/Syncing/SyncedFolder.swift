import CatalogueKit
import Foundation
import MastheadPublishing
import MastheadSQLite
import Testing

/// A publisher, and a folder for a library of what it has.
struct SyncedFolder {
    let publisher: StubPublisher
    let folder: LibraryFolder

    init(_ catalogue: StubCatalogue = StubCatalogue(volumes: 2, issues: 2, articles: 3)) throws {
        publisher = StubPublisher(catalogue)
        // What there is has been there for a while.
        publisher.pause()
        folder = try LibraryFolder()
    }

    func open(
        _ shrinkage: ShrinkagePolicy = .keeps,
        showsPreviews: Bool = false
    ) async throws(LibraryError) -> Library {
        let catalogue = publisher.repositories(showsPreviews: showsPreviews)
        return try await Library(directory: folder.directory, catalogue: catalogue, shrinkage: shrinkage)
    }

    /// The library's log: what does not write leaves it as it is.
    ///
    /// Its size alone tells nothing, since a log that was emptied is written from its beginning again.
    func log() throws -> Data {
        try Data(contentsOf: URL(filePath: folder.directory.path + "/library.db-wal"))
    }
}

extension Library {
    /// Everything that it holds, by id, in the form in which the publisher has it.
    func contents() async throws -> Contents {
        Contents(
            volumes: try await volumes.all(),
            issues: try await issues.all(),
            articles: try await articles.bodies().all(),
            assets: try await assets.all()
        )
    }
}

/// What a library or a publisher has, whatever the order.
struct Contents: Hashable, CustomTestStringConvertible {
    var volumes: Set<Volume>
    var issues: Set<Issue>
    var articles: Set<Article>
    var assets: Set<Asset>

    init(volumes: [Volume], issues: [Issue], articles: [Article], assets: [Asset]) {
        self.volumes = Set(volumes)
        // Which volumes an issue is in, most answers leave out; when its articles changed, an article says itself.
        self.issues = Set(
            issues.map { issue in
                var issue = issue
                issue.volumeIDs = []
                issue.articles = issue.articleIDs.map { Article.Stub(id: $0) }
                return issue
            }
        )
        self.articles = Set(articles)
        self.assets = Set(assets)
    }

    init(_ catalogue: StubCatalogue) {
        self.init(
            volumes: catalogue.volumes,
            issues: catalogue.issues,
            articles: catalogue.articles,
            assets: catalogue.assets
        )
    }

    var testDescription: String { ids.sorted().joined(separator: " ") }

    /// The ids of what another does not have, or not in this form.
    func without(_ other: Contents) -> [String] {
        let volumes = volumes.subtracting(other.volumes).map(\.id.rawValue)
        let issues = issues.subtracting(other.issues).map(\.id.rawValue)
        let articles = articles.subtracting(other.articles).map(\.id.rawValue)
        let assets = assets.subtracting(other.assets).map(\.id.rawValue)
        return (volumes + issues + articles + assets).sorted()
    }

    private var ids: [String] {
        volumes.map(\.id.rawValue) + issues.map(\.id.rawValue) + articles.map(\.id.rawValue) + assets.map(\.id.rawValue)
    }
}
