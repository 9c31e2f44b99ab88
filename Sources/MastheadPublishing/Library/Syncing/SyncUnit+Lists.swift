import MastheadNetworking

extension SyncUnit {
    /// Decides what a list is to hold that came again, where something may be missing that it held.
    ///
    /// - Returns: What it is to hold, and what was taken out of it.
    mutating func settle<Element>(
        _ came: [Identifier<Element>],
        _ known: [Identifier<Element>],
        _ kind: ShrunkenList.Kind,
        _ holder: LibraryItem?,
        _ policy: ShrinkagePolicy
    ) async -> (held: [Identifier<Element>], gone: [Identifier<Element>]) {
        let listed = Set(came)
        let missing = known.filter { !listed.contains($0) }
        guard !missing.isEmpty else { return (came, []) }
        let list = ShrunkenList(kind: kind, holder: holder, missing: missing.map(\.rawValue), count: listed.count)
        guard await policy.keeps(list, known: known.count) else { return (came, missing) }
        keptLists.append(list)
        return (came + missing, [])
    }

    /// Decides the same for the assets of something, and notes what was taken out.
    mutating func settle(
        _ came: [Asset.ID],
        _ known: [Asset.ID],
        of holder: LibraryItem,
        _ policy: ShrinkagePolicy
    ) async -> [Asset.ID] {
        let (held, gone) = await settle(came, known, .assets, holder, policy)
        unlinkedAssets += gone
        return held
    }
}
