import MastheadNetworking

extension Library {
    /// Adds a volume with its issues, their articles and their assets, or brings it up to date.
    ///
    /// ```swift
    /// try await library.add(volume: "v1")
    /// ```
    ///
    /// What is here and has not changed is not fetched, and files are not fetched at all. Each issue comes whole or not at
    /// all; what was written before a failure, or before the task was cancelled, stays, and the next call goes on from
    /// there. Several calls may be under way at once.
    ///
    /// - Throws: ``LibraryError/catalogue(_:)`` with ``VolumeError/unknownVolume`` if there is none of that id, and for whatever
    ///   else the catalogue's server says; ``LibraryError/full`` and others.
    @concurrent @discardableResult
    public func add(volume id: Volume.ID) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let volume = try sync.asked(await sync.catalogue.volumes.volume(id))
            try await sync.bring(volumes: [volume])
        }
    }

    /// Adds the volume that a store sells under a name, as by its id.
    @concurrent @discardableResult
    public func add(volumeSKU sku: SKU) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let volume = try sync.asked(await sync.catalogue.volumes.volume(sku: sku))
            try await sync.bring(volumes: [volume])
        }
    }

    /// Adds an issue with its articles and assets, or brings it up to date.
    ///
    /// Of its articles those are fetched that are new or were changed since.
    ///
    /// - Parameters:
    ///   - id: The issue.
    ///   - withArticles: Whether its articles are to come too, or only what the issue says of itself.
    /// - Returns: What was done.
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func add(issue id: Issue.ID, withArticles: Bool = true) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let issue = try sync.asked(await sync.catalogue.issues.issue(id))
            try await sync.take(issues: [issue], withArticles ? .whole : .itself, areWhole: true)
        }
    }

    /// Adds the issue that a store sells under a name, as by its id.
    @concurrent @discardableResult
    public func add(issueSKU sku: SKU, withArticles: Bool = true) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let issue = try sync.asked(await sync.catalogue.issues.issue(sku: sku))
            try await sync.take(issues: [issue], withArticles ? .whole : .itself, areWhole: true)
        }
    }

    /// Adds an article with its assets, or brings it up to date; it stays when the issues go that hold it.
    ///
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func add(article id: Article.ID) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let article = try sync.asked(await sync.catalogue.articles.article(id))
            try await sync.take(whole: article, standsAlone: true)
        }
    }

    /// Adds the article that a store sells under a name, as by its id.
    @concurrent @discardableResult
    public func add(articleSKU sku: SKU) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let article = try sync.asked(await sync.catalogue.articles.article(sku: sku))
            try await sync.take(whole: article, standsAlone: true)
        }
    }

    /// Does one call's worth of bringing up to date.
    func sync(
        _ body: (inout LibrarySync) async throws(LibraryError) -> Void
    ) async throws(LibraryError) -> SyncReport {
        var sync = try LibrarySync(self)
        try await body(&sync)
        return sync.report
    }
}
