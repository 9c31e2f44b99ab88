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
    ///
    /// - Parameters:
    ///   - volumes: The volumes.
    ///   - areAll: Whether the catalogue has no others: those that are here then go, once the server has said so of each.
    /// - Throws: What the catalogue or the database says.
    mutating func bring(volumes: [Volume], areAll: Bool = false) async throws(LibraryError) {
        let known = areAll ? try await library.volumes.ids() : []
        try await bring { (sync, mark) async throws(LibraryError) in
            let issues = try await sync.take(volumes: volumes)
            try await sync.removeVolumes(notIn: Set(volumes.map(\.id)), of: known)
            try await sync.bring(issues: issues, since: mark, .whole)
            if mark != nil { try await sync.bringArticles(since: mark) }
            // Otherwise nothing is known of what else is here.
            if mark == nil, try await !sync.library.holdsNothing(but: issues) { return }
            try await sync.note(mark)
        }
    }

    /// Brings everything that is here up to date.
    mutating func refresh() async throws(LibraryError) {
        try await bring { (sync, mark) async throws(LibraryError) in try await sync.refresh(since: mark) }
    }

    /// Does what needs to know up to when the library has everything; once more without, where that turns out to be later
    /// than now: then the server's clock was wrong when it was noted, and what changed in between may be dated before it.
    private mutating func bring(
        _ body: (inout LibrarySync, _ mark: Date?) async throws(LibraryError) -> Void
    ) async throws(LibraryError) {
        let mark = try await library.syncMark(of: catalogue)
        try await body(&self, mark)
        guard let mark, let begin, begin < mark else { return }
        try await body(&self, nil)
    }

    private mutating func refresh(since mark: Date?) async throws(LibraryError) {
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
        guard let begin, begin >= old ?? .distantPast, old == nil || hasNews else { return }
        let mark = begin.addingTimeInterval(-Self.clockTolerance)
        var changes = LibraryChanges()
        changes.append(.setMark(mark, catalogue.markName))
        _ = try await library.perform(changes)
    }
}
