import FoundationEssentials
import MastheadNetworking

extension Catalogue {
    /// What it is called where it is noted up to when everything of it is here.
    var markName: String {
        let configuration = volumes.configuration
        let port = configuration.port.map { ":\($0)" } ?? ""
        return
            "\(configuration.domainURL)\(port)/\(configuration.subdomainURL ?? "") \(showsPreviews ? "previews" : "published")"
    }
}

extension LibrarySync {
    /// How much a server's clocks may differ, in seconds: that which dates its answers, and that which dates what changed.
    private static var clockTolerance: TimeInterval { 60 }

    /// Brings volumes up to date and those that are not here into the library, with all that they hold; and then whatever
    /// else has changed of what is here, if it is known since when.
    mutating func bring(volumes: [Volume]) async throws(LibraryError) {
        let mark = try await library.syncMark(of: catalogue)
        let issues = try await take(volumes: volumes)
        try await bring(issues: issues, since: mark, .whole)
        if mark != nil { try await bringArticles(since: mark) }
        // Otherwise nothing is known of what else is here.
        if mark == nil, try await !library.holdsNothing(but: issues) { return }
        try await note(mark)
    }

    /// Brings everything that is here up to date.
    mutating func refresh() async throws(LibraryError) {
        let mark = try await library.syncMark(of: catalogue)
        let volumes = try await library.volumes.ids()
        var issues: [Issue.ID] = []
        if !volumes.isEmpty {
            let known = Set(volumes)
            var listed: Set<Volume.ID> = []
            var held: [Volume] = []
            try await walk(catalogue.volumes.all(limit: 100)) { (_, page) async throws(LibraryError) in
                listed.formUnion(page.map(\.id))
                held += page.filter { known.contains($0.id) }
            }
            issues = try await take(volumes: held)
            try await removeVolumes(notIn: listed, of: volumes)
        }
        issues = (issues + (try await library.issues.ids())).unique()
        try await bring(issues: issues, since: mark, .asBefore)
        try await bringArticles(since: mark)
        try await note(mark)
    }

    /// Notes that everything that is here is as the server had it when this began.
    private func note(_ old: Date?) async throws(LibraryError) {
        // Where nothing has changed, what was known still holds.
        guard let begin, old == nil || hasNews || !report.isEmpty else { return }
        let mark = begin.addingTimeInterval(-Self.clockTolerance)
        guard mark > old ?? .distantPast else { return }
        var changes = LibraryChanges()
        changes.append(.setMark(mark, catalogue.markName))
        _ = try await library.perform(changes)
    }
}
