import FoundationEssentials
import MastheadNetworking

extension LibrarySync {
    /// Fetches what a unit wants, and writes it.
    mutating func finish(_ unit: SyncUnit) async throws(LibraryError) {
        try await finish([unit])
    }

    /// Fetches what units want, and writes each; while one is written, what the next wants is fetched.
    mutating func finish(_ units: [SyncUnit]) async throws(LibraryError) {
        let (library, catalogue) = (library, catalogue)
        guard let first = units.first else { return }
        var ready = try await first.prepared(for: library, from: catalogue).get()
        for unit in units.dropFirst() {
            async let next = unit.prepared(for: library, from: catalogue)
            try await write(ready)
            ready = try await next.get()
        }
        try await write(ready)
    }

    private mutating func write(_ unit: SyncUnit) async throws(LibraryError) {
        report.requestCount += unit.requestCount
        report.unknown += unit.unknown
        report.keptLists += unit.keptLists
        let changes = unit.changes
        guard !changes.steps.isEmpty else { return }
        let removed = try await library.perform(changes)
        report.volumes += unit.volumes.map(\.id)
        report.issues += unit.issues.map(\.id)
        report.articles += unit.articles.map(\.id)
        report.assets += unit.assets.map(\.id)
        report.removed += removed
    }
}
