import MastheadPublishing

extension LibraryCommand {
    /// An article's text with the captions of its assets where they belong, and its keywords.
    func show(article id: Article.ID, of library: Library) async throws(LibraryError) -> Int32 {
        guard let article = try await library.article(id) else { return sayIsUnknown("article", id.rawValue) }
        terminal.title(ReadableText.line(of: article.title))
        let author = article.authorName.isEmpty ? "" : "by \(article.authorName)"
        let about = [author, article.section, article.publishedDate?.day ?? ""].joinedForReaders
        if !about.isEmpty { terminal.line(about) }
        show(html: article.summary)

        // No file is shown, only what is said of it.
        let renderer = BodyRenderer { _, _ in nil }
        let assets = try await library.assets.ofArticle(id).all().map(\.announced)
        show(html: renderer.html(article.body, assets: assets))

        let placed = Set(renderer.assetIDs(in: article.body))
        for asset in assets where !placed.contains(asset.id) { show(html: asset.caption) }
        if !article.keywords.isEmpty {
            terminal.line()
            terminal.detail("keywords: " + ReadableText.line(of: article.keywords.joined(separator: ", ")))
        }
        return 0
    }

    private func show(html: String) {
        let lines = ReadableText.lines(of: html)
        if !lines.isEmpty { terminal.line() }
        for line in lines { terminal.line(line) }
    }
}

extension Asset {
    /// The asset with a caption that says what it is.
    fileprivate var announced: Asset {
        var asset = self
        let text = caption.isEmpty ? kind.rawValue : "\(kind.rawValue): \(caption)"
        asset.caption = text.isEmpty ? "" : "[\(text)]"
        return asset
    }
}
