import FoundationEssentials
import MastheadPublishing

extension LibraryCommand {
    /// The volumes with their issues, in the publisher's order.
    func showContents(of library: Library) async throws(LibraryError) -> Int32 {
        var others = try await library.issues.all()
        for volume in try await library.volumes.oldest().all() {
            let issues = try await library.issues.ofVolume(volume.id).all()
            let about = [volume.title, volume.subtitle, counted(issues.count, "issue")]
            terminal.title(about.joinedForReaders)
            terminal.detail(volume.id.rawValue.printable)
            for issue in issues { try await show(line: issue, of: library) }
            let listed = Set(issues.map(\.id))
            others.removeAll { listed.contains($0.id) }
        }
        if !others.isEmpty { terminal.title("Of no volume · \(counted(others.count, "issue"))") }
        for issue in others { try await show(line: issue, of: library) }
        let alone = try await library.articles.independent().count()
        terminal.line()
        let sums = [
            counted(try await library.articles.count(), "article"), counted(try await library.assets.count(), "asset"),
        ]
        terminal.line("\(sums.joined(separator: " and ")) in all, \(alone) of no issue")
        return 0
    }

    private func show(line issue: Issue, of library: Library) async throws(LibraryError) {
        let count = try await library.articles.inIssue(issue.id).count()
        let about = [issue.date?.day ?? "", issue.title, issue.displayDate, counted(count, "article")]
        terminal.line("  " + about.joinedForReaders)
        terminal.detail(issue.id.rawValue.printable)
    }

    /// An issue's articles, in its order.
    func show(issue id: Issue.ID, of library: Library) async throws(LibraryError) -> Int32 {
        guard let issue = try await library.issue(id) else { return sayIsUnknown("issue", id.rawValue) }
        let query = library.articles.inIssue(id)
        let articles = try await query.all()
        let featured = Set(try await query.featured().ids())
        terminal.title([issue.title, issue.displayDate, issue.date?.day ?? ""].joinedForReaders)
        let summary = ReadableText.lines(of: issue.summary)
        for line in summary { terminal.line(line) }
        for article in articles {
            let place = String(issue.placement(of: article.id) ?? 0)
            let about = [
                article.title, article.authorName.isEmpty ? "" : "by \(article.authorName)", article.section,
                featured.contains(article.id) ? "featured" : "",
            ]
            terminal.line(
                "  \(String(repeating: " ", count: max(0, 2 - place.count)))\(place)  \(about.joinedForReaders)"
            )
            terminal.detail("  " + article.id.rawValue.printable)
        }
        let missing = issue.articles.count - articles.count
        if missing > 0 { terminal.line("  \(counted(missing, "more article")) of it not in the library") }
        return 0
    }

    func sayIsUnknown(_ kind: String, _ id: String) -> Int32 {
        terminal.bad("no \(kind) “\(id.printable)” in the library")
        return 1
    }
}

extension Date {
    var day: String { formatted(.iso8601.year().month().day()) }
}

extension [String] {
    /// What there is of them, on one line.
    var joinedForReaders: String {
        map { ReadableText.line(of: $0) }.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
