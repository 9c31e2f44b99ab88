import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import Proofreading

extension Tour {
    /// All volumes, one page after the other.
    func showVolumes(of newsstand: Newsstand) async throws(Stop) -> [Volume] {
        begin(
            "The catalogue, page by page",
            code: """
                for try await page in newsstand.volumes.all(limit: 1).pages {
                """
        )
        var volumes: [Volume] = []
        var pageCount = 0
        do {
            for try await page in newsstand.volumes.all(limit: 1).pages {
                pageCount += 1
                volumes += page
                for volume in page {
                    terminal.detail("\(volume.title) · \(volume.subtitle) · \(volume.publisher)")
                }
            }
        } catch {
            throw Stop(message: "volumes: \(Self.name(of: error))")
        }
        compare("\(volumes.count) volumes in \(pageCount) pages", "volume", \.volumes, volumes.map(\.entry))
        return volumes
    }

    /// The issues of some volumes with their articles and assets, all at the same time.
    func showIssues(of volumes: [Volume], in newsstand: Newsstand) async throws(Stop) -> [Newsstand.WholeIssue] {
        begin(
            "Issues with their articles and assets, at the same time",
            code: """
                try await withThrowingTaskGroup(of: Newsstand.WholeIssue.self) { group in
                    for id in ids { group.addTask { try await newsstand.whole(id) } }
                """
        )
        let ids = volumes.flatMap(\.issueIDs)
        var wholes: [Newsstand.WholeIssue] = []
        do {
            wholes = try await withThrowingTaskGroup(of: Newsstand.WholeIssue.self) { group in
                for id in ids { group.addTask { try await newsstand.whole(id) } }
                var done: [Newsstand.WholeIssue] = []
                for try await whole in group {
                    done.append(whole)
                    terminal.progress("\(done.count) of \(ids.count) issues")
                }
                return done
            }
        } catch {
            throw Stop(message: "issues: \((error as? RepositoryError).map(Self.name) ?? "\(error)")")
        }
        wholes.sort { (ids.firstIndex(of: $0.issue.id) ?? 0) < (ids.firstIndex(of: $1.issue.id) ?? 0) }
        for whole in wholes {
            terminal.detail("\(whole.issue.title) · \(whole.issue.displayDate) · \(whole.articles.count) articles")
        }
        if let issue = wholes.first {
            for article in issue.articles.prefix(4) {
                terminal.detail("    “\(article.title)” by \(article.authorName), \(article.body.utf8.count) bytes")
            }
            if issue.articles.count > 4 { terminal.detail("    …") }
        }
        let articles = wholes.flatMap(\.articles)
        let assets = Self.assets(of: wholes)
        compare("\(wholes.count) issues", "issue", \.issues, wholes.map(\.issue.entry))
        compare("\(articles.count) articles, each letter of them", "article", \.articles, articles.map(\.entry))
        compare("\(assets.count) assets", "asset", \.media, assets.map(\.entry))
        return wholes
    }

    /// The files of all assets, from a host that must not see the key.
    func showFiles(of wholes: [Newsstand.WholeIssue], in newsstand: Newsstand) async throws(Stop) {
        begin(
            "Pictures and sounds, from a host that never sees the key",
            code: """
                group.addTask { (asset.preferredURL, await newsstand.assets.data(of: asset)) }
                """
        )
        let assets = Self.assets(of: wholes)
        let fetched = try await fetchFiles(of: assets, in: newsstand)
        if let asset = assets.first, let file = asset.preferredURL.flatMap({ fetched.files[$0.lastPathComponent] }) {
            terminal.detail("\(asset.caption): \(file.count) bytes, \(Self.kind(of: file))")
        }
        let size = fetched.files.values.reduce(0) { $0 + $1.count }
        ledger.note("\(fetched.files.count) files, \(size) bytes", differences: fetched.differences)
    }

    /// Fetches the files and the thumbnails of assets, and compares each with its digest in the manifest.
    func fetchFiles(
        of assets: [Asset],
        in newsstand: Newsstand
    ) async throws(Stop) -> (files: [String: Data], differences: [String]) {
        let results = await withTaskGroup(of: (URL?, Result<Data, RepositoryError>).self) { group in
            for asset in assets {
                group.addTask { (asset.preferredURL, await newsstand.assets.data(of: asset)) }
                if asset.preferredThumbnailURL != nil {
                    group.addTask { (asset.preferredThumbnailURL, await newsstand.assets.thumbnailData(of: asset)) }
                }
            }
            var results: [(URL?, Result<Data, RepositoryError>)] = []
            for await result in group {
                results.append(result)
                terminal.progress("\(results.count) files")
            }
            return results
        }
        var files: [String: Data] = [:]
        for (url, result) in results {
            let name = url?.lastPathComponent ?? ""
            files[name] = try need("the file \(name)", result)
        }
        guard let manifest else { return (files, []) }
        let differences = files.keys.sorted().compactMap { name in
            let sum = SHA256.hex(of: files[name] ?? Data())
            let expected = manifest.files[name]
            return sum == expected ? nil : "file \(name): expected sha256:\(expected ?? "nothing"), got sha256:\(sum)"
        }
        return (files, differences)
    }

    private static func assets(of wholes: [Newsstand.WholeIssue]) -> [Asset] {
        var assets: [Asset] = []
        for asset in wholes.flatMap(\.assets) where !assets.contains(where: { $0.id == asset.id }) {
            assets.append(asset)
        }
        return assets
    }

    private static func kind(of data: Data) -> String {
        switch Array(data.prefix(4)) {
        case [0x89, 0x50, 0x4E, 0x47]: "a PNG"
        case Array("RIFF".utf8): "a WAV"
        case Array("<svg".utf8): "an SVG"
        case [0xFF, 0xD8, 0xFF, 0xE0], [0xFF, 0xD8, 0xFF, 0xE1]: "a JPEG"
        default: "a file"
        }
    }
}
