import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import Proofreading

extension Tour {
    /// The whole magazine in a library: it comes once, and is searched on the disk.
    func showLibrary(of configuration: NetworkingConfiguration, in folder: String) async throws(Stop) {
        begin(
            "A library: all of it, searched on the disk",
            code: """
                let library = try await Library(directory: directory, catalogue: catalogue)
                let first = try await library.addAllVolumes()
                let hits = try await library.search("harbour bell")
                """
        )
        let directory = URL(filePath: folder, directoryHint: .isDirectory)
        let catalogue = Catalogue(configuration: configuration)
        do throws(LibraryError) {
            let library = try await Library(directory: directory, catalogue: catalogue)
            let first = try await library.addAllVolumes()
            let requests = "in \(counted(first.requestCount, "request"))"
            try await compare(library, "\(first.articles.count) articles came, \(requests)")
            let hits = try await library.search("harbour bell")
            if let best = hits.first {
                terminal.line("    \(terminal.marked(best.title)): \(terminal.marked(best.snippet))")
            }
            let found = manifest.map { _ in hits.first?.title.text == "The Bell at Wick Rock" } ?? true
            let marked =
                hits.first.map { hit in hit.snippet.highlights.map { hit.snippet.text[$0].lowercased() } } ?? []
            ledger.note(
                "the best of \(counted(hits.count, "hit")), with what was searched for",
                found && marked.contains("bell")
            )
            let second = try await library.addAllVolumes()
            ledger.note(
                "nothing changed, which takes \(counted(second.requestCount, "request"))",
                second.isEmpty && second.requestCount == 3
            )
            await library.close()
        } catch {
            throw Stop(message: "the library: \(error)")
        }
    }

    /// Compares what the library holds now with the manifest.
    private func compare(_ library: Library, _ text: String) async throws(LibraryError) {
        let volumes = try await library.volumes.all().map(\.entry)
        let issues = try await library.issues.all().map(\.entry)
        let articles = try await library.articles.bodies().all().map(\.entry)
        let assets = try await library.assets.all().map(\.entry)
        compare("\(text): the volumes as they are", "volume of the library", \.volumes, volumes)
        compare("its \(counted(issues.count, "issue"))", "issue of the library", \.issues, issues)
        compare("its \(counted(articles.count, "article"))", "article of the library", \.articles, articles)
        compare("its \(counted(assets.count, "asset"))", "asset of the library", \.media, assets)
    }
}
