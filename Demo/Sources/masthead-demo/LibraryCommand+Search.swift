import MastheadPublishing

extension LibraryCommand {
    private static var mostHits: Int { 20 }

    /// The articles that say what is searched for, the best first.
    func search(_ words: String, in library: Library) async throws(LibraryError) -> Int32 {
        let query = SearchQuery(words)
        guard !query.isEmpty else {
            terminal.bad("there is no word in “\(words.printable)”")
            return 1
        }
        let count = try await library.articles.count(of: query)
        let hits = try await library.articles.search(query, limit: Self.mostHits)
        let say = count == 1 ? "says" : "say"
        let best = count > hits.count ? ", the best \(hits.count) of them" : ""
        terminal.line("\(counted(count, "article")) \(say) “\(words.printable)”\(best)")
        for hit in hits {
            let author = hit.article.authorName
            terminal.line()
            let by = author.isEmpty ? "" : " · by \(ReadableText.line(of: author))"
            terminal.line("  \(terminal.marked(hit.title))\(by)")
            terminal.line("    \(terminal.marked(hit.snippet))")
            terminal.detail(hit.id.rawValue.printable)
        }
        return 0
    }
}

extension Terminal {
    /// A text, with what was found in it in bold.
    func marked(_ text: HighlightedText) -> String {
        var shown = ""
        var end = text.text.startIndex
        for range in text.highlights {
            shown += String(text.text[end..<range.lowerBound]).printable
            shown += styled(String(text.text[range]).printable, .found)
            end = range.upperBound
        }
        return shown + String(text.text[end...]).printable
    }
}
