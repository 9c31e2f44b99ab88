import FoundationEssentials
import MastheadNetworking

extension LibrarySync {
    /// Decides what a list is to hold that came again, where something may be missing that it held.
    ///
    /// - Returns: What it is to hold, and what was taken out of it.
    mutating func settle<Element>(
        _ came: [Identifier<Element>],
        _ known: [Identifier<Element>],
        _ kind: ShrunkenList.Kind,
        _ holder: LibraryItem?
    ) async -> (held: [Identifier<Element>], gone: [Identifier<Element>]) {
        let listed = Set(came)
        let missing = known.filter { !listed.contains($0) }
        guard !missing.isEmpty else { return (came, []) }
        let list = ShrunkenList(kind: kind, holder: holder, missing: missing.map(\.rawValue), count: listed.count)
        guard await library.shrinkage.keeps(list, known: known.count) else { return (came, missing) }
        report.keptLists.append(list)
        return (came + missing, [])
    }

    /// Decides the same for the assets of something, and notes what was taken out.
    mutating func settle(
        _ unit: inout SyncUnit,
        _ came: [Asset.ID],
        _ known: [Asset.ID],
        _ holder: LibraryItem
    ) async -> [Asset.ID] {
        let (held, gone) = await settle(came, known, .assets, holder)
        unit.unlinkedAssets += gone
        return held
    }

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
