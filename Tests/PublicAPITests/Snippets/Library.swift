import Foundation
import MastheadNetworking
import MastheadPublishing

// What the article about the library takes for granted.
private func show(_ issues: [Issue]) {}
nonisolated private func show(_ html: String) {}
private func row(_ title: HighlightedText, _ snippet: HighlightedText) {}
private func showDiskIsFull() {}
private func askWhetherToDeleteAnyway(_ item: LibraryItem) {}
private func tellReader(_ text: String) {}
nonisolated private func askReader(_ text: String) async -> Bool { true }
nonisolated private func contentURL(of asset: Asset) -> URL? { URL(string: "reader://\(asset.id)") }

private func open(_ folder: URL, _ issue: Issue, _ articles: [Article], _ assets: [Asset]) async throws {
    // snippet
    let library = try await Library(directory: folder)

    try await library.apply {
        $0.save(assets)
        $0.save(articles)
        $0.save(issue)
    }
    // end
    await library.close()
}

private func update(_ folder: URL) async throws {
    // snippet
    let catalogue = Catalogue(configuration: .production)
    let library = try await Library(directory: folder, catalogue: catalogue)

    try await library.add(volume: "v1")
    let report = try await library.refresh()
    if !report.isEmpty { tellReader("\(report.articles.count) articles are new or have changed") }
    // end
}

private func ask(_ folder: URL) async throws {
    // snippet
    let library = try await Library(
        directory: folder,
        catalogue: Catalogue(configuration: .production),
        shrinkage: .asks { list in
            await askReader("\(list.missing.count) entries are gone. Remove them?") ? .unlink : .keep
        }
    )
    // end
    await library.close()
}

private func firstLook(_ folder: URL) async throws {
    // snippet
    let library = try await Library(directory: folder, catalogue: Catalogue(configuration: .production))
    try await library.add(volume: "v1")  // and library.refresh() later: three requests if nothing has changed
    for await issues in library.observe(library.issues.ofVolume("v1").newest()) { show(issues) }
    for hit in try await library.search("harbour -ferry") { print(hit.title, hit.snippet) }
    // end
}

private func read(_ library: Library) async throws {
    // snippet
    let newest = try await library.issues.ofVolume("v1").newest().first()
    let contents = try await library.articles.inIssue("i1").page(1)
    let news = library.articles.inIssue("i1").where(.section, is: "News").notOfType("ad")
    let count = try await news.count()
    let article = try await library.article("a1")
    // end
    _ = (newest, contents, count, article)
}

private func importMany(_ library: Library, _ articles: [Article]) async throws {
    // snippet
    try await library.apply {
        $0.indexing = .later
        $0.save(articles)
    }
    try await library.buildIndex { show("index \($0.percent) % built") }
    // end
}

private func conditions(_ library: Library) async throws {
    // snippet
    let query = library.articles.where(
        .any([.keyword("harbour"), .metadata("readingMinutes", is: 7), .not(.field(.section, is: "News"))])
    )
    // end
    _ = try await query.ids()
}

private func observe(_ library: Library) async {
    // snippet
    for await issues in library.observe(library.issues.ofVolume("v1").newest()) { show(issues) }
    // end
}

private func delete(_ library: Library) async throws {
    // snippet
    do {
        try await library.apply { $0.delete(issue: "i1") }
    } catch .purchased(let item) {
        askWhetherToDeleteAnyway(item)
    } catch .full {
        showDiskIsFull()
    }
    // end
}

private func search(_ library: Library, _ text: String) async throws {
    // snippet
    for hit in try await library.search("harbour -ferry title:\"low water\"") { row(hit.title, hit.snippet) }
    let whileTyping = try await library.articles.inIssue("i1").search(SearchQuery(typing: text))
    // end
    _ = whileTyping
}

private func render(_ library: Library) async throws {
    // snippet
    if let article = try await library.article("a1") {
        show(
            try await library.html(
                of: article,
                BodyRenderer { asset, file in file == nil ? nil : contentURL(of: asset) }
            )
        )
    }
    // end
}
