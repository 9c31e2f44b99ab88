import FoundationEssentials
import MastheadSQLite

extension Library {
    /// Makes HTML of an article's text, with those of its assets that are in the library.
    ///
    /// - Parameters:
    ///   - article: The article, with its text: as ``article(_:)`` gives it.
    ///   - renderer: How.
    /// - Returns: The HTML; empty for an article without a text.
    /// - Throws: What kept the library from being read.
    @concurrent
    public func html(
        of article: Article,
        _ renderer: BodyRenderer = BodyRenderer()
    ) async throws(LibraryError) -> String {
        let ids = renderer.assetIDs(in: article.body)
        let found = try await readAll { connection throws(DatabaseError) in
            var assets: [Asset] = []
            var names: [Asset.ID: String] = [:]
            for id in ids {
                guard let asset = try connection.asset(id) else { continue }
                assets.append(asset)
                names[id] = try connection.value(
                    "SELECT name FROM asset_file WHERE asset = ? AND role = 1",
                    id.rawValue
                )
            }
            return (assets: assets, names: names)
        }
        let files = found.names.mapValues { URL(filePath: "\(filesPath)/\($0)") }
        return renderer.html(article.body, assets: found.assets, files: files)
    }
}
