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
        var unlinked: [Issue.ID] = []
        for var volume in came.filter({ !$0.issueIDs.isEmpty }) + whole {
            let (id, known) = (volume.id, try await library.volume(volume.id))
            if let known {
                let policy = library.shrinkage
                let (held, gone) = await unit.settle(volume.issueIDs, known.issueIDs, .issues, .volume(id), policy)
                volume.issueIDs = held
                unlinked += gone
                volume.assetIDs = await unit.settle(volume.assetIDs, known.assetIDs, of: .volume(id), policy)
            }
            issues += volume.issueIDs
            guard volume != known else { continue }
            unit.volumes.append(volume)
            unit.wantedAssets += volume.assetIDs + [volume.coverID].compactMap { $0 }
        }
        // An issue may well be in no volume.
        unit.goneIssues = try await gone(unlinked, from: catalogue.issues) { .issue($0) }
        try await finish(unit)
        return issues.unique()
    }

    /// Removes the volumes that a whole list of all volumes no longer has, once the server has said so of each.
    mutating func removeVolumes(notIn listed: Set<Volume.ID>, of known: [Volume.ID]) async throws(LibraryError) {
        var unit = SyncUnit()
        let stillListed = known.filter(listed.contains)
        let (_, missing) = await unit.settle(stillListed, known, .volumes, nil, library.shrinkage)
        // One that was never in the list, such as a draft, is as it was.
        unit.goneVolumes = try await gone(missing, from: catalogue.volumes) { .volume($0) }
        // Its issues may be gone with it, or stand by themselves now.
        var issues: [Issue.ID] = []
        for id in unit.goneVolumes { issues += try await library.volume(id)?.issueIDs ?? [] }
        unit.goneIssues = try await gone(issues, from: catalogue.issues) { .issue($0) }
        try await finish(unit)
    }
}
