import MastheadNetworking

extension LibrarySync {
    /// Saves what is new of volumes, with their assets.
    ///
    /// - Returns: The issues that they hold now.
    mutating func take(volumes came: [Volume]) async throws(LibraryError) -> [Issue.ID] {
        // A list may have nothing but ids, or leave the issues out.
        let bare = came.filter(\.issueIDs.isEmpty).map(\.id)
        let whole = try await singly(bare, from: catalogue.volumes) { .volume($0) }
        var unit = SyncUnit()
        var issues: [Issue.ID] = []
        for var volume in came.filter({ !$0.issueIDs.isEmpty }) + whole {
            let (id, known) = (volume.id, try await library.volume(volume.id))
            if let known {
                let policy = library.shrinkage
                let (held, gone) = await unit.settle(volume.issueIDs, known.issueIDs, .issues, .volume(id), policy)
                volume.issueIDs = held
                unit.unlinkedIssues += gone
                volume.assetIDs = await unit.settle(volume.assetIDs, known.assetIDs, of: .volume(id), policy)
            }
            issues += volume.issueIDs
            guard volume != known else { continue }
            unit.volumes.append(volume)
            unit.wantedAssets += volume.assetIDs + [volume.coverID].compactMap { $0 }
        }
        try await finish(unit)
        return issues.unique()
    }

    /// Removes the volumes that a whole list of all volumes no longer has, once the server has said so of each.
    mutating func removeVolumes(notIn listed: Set<Volume.ID>, of known: [Volume.ID]) async throws(LibraryError) {
        var unit = SyncUnit()
        let stillListed = known.filter(listed.contains)
        let (_, missing) = await unit.settle(stillListed, known, .volumes, nil, library.shrinkage)
        let before = report.unknown.count
        // One that was never in the list, such as a draft, is as it was.
        let there = try await singly(missing, from: catalogue.volumes) { .volume($0) }
        report.unknown.removeSubrange(before...)
        unit.goneVolumes = missing.filter { id in !there.contains { $0.id == id } }
        // Its issues may be gone with it, or stand by themselves now.
        for id in unit.goneVolumes { unit.unlinkedIssues += try await library.volume(id)?.issueIDs ?? [] }
        try await finish(unit)
    }
}
