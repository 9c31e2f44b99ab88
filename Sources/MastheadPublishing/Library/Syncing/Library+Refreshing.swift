import MastheadNetworking

extension Library {
    /// Brings everything that is here up to date: volumes with the issues that are new in them, issues, articles.
    ///
    /// ```swift
    /// let report = try await library.refresh()
    /// ```
    ///
    /// It asks for what changed since the last time, by the server's clock; where that is not known, for everything once.
    /// What the publisher took out of a list is taken out here, and removed if nothing else holds it, unless it was bought
    /// or its files are here; see ``ShrinkagePolicy`` for lists that cannot be believed. What the library does not hold is not
    /// added, issues of its volumes apart.
    ///
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func refresh() async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in try await sync.refresh() }
    }

    /// Reads an article and its assets again, whatever is known of when they were changed.
    ///
    /// - Throws: As ``add(volume:)``; an article that is not here is added.
    @concurrent @discardableResult
    public func refresh(article id: Article.ID) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let article = try sync.asked(await sync.catalogue.articles.article(id))
            try await sync.take(whole: article, standsAlone: false)
        }
    }
}
