import MastheadSQLite

extension Library {
    /// All volumes, newest first.
    public var volumes: LibraryQuery<Volume> { LibraryQuery(self, .volumes) }

    /// All issues, newest first.
    public var issues: LibraryQuery<Issue> { LibraryQuery(self, .issues) }

    /// All articles, newest first and without their texts.
    public var articles: LibraryQuery<Article> { LibraryQuery(self, .articles) }

    /// All assets, as they were first saved.
    public var assets: LibraryQuery<Asset> { LibraryQuery(self, .assets) }

    /// The volume of an id; `nil` if it is not here.
    @concurrent
    public func volume(_ id: Volume.ID) async throws(LibraryError) -> Volume? {
        try await read { connection throws(DatabaseError) in try connection.volume(id) }
    }

    /// The issue of an id; `nil` if it is not here.
    @concurrent
    public func issue(_ id: Issue.ID) async throws(LibraryError) -> Issue? {
        try await read { connection throws(DatabaseError) in try connection.issue(id) }
    }

    /// The article of an id, with its text; `nil` if it is not here.
    @concurrent
    public func article(_ id: Article.ID) async throws(LibraryError) -> Article? {
        try await read { connection throws(DatabaseError) in try connection.article(id) }
    }

    /// The articles of many ids, with their texts, in that order; without those that are not here.
    @concurrent
    public func articles(_ ids: [Article.ID]) async throws(LibraryError) -> [Article] {
        try await readAll { connection throws(DatabaseError) in
            try LibraryTable.articles.elements(ids.map(\.rawValue), connection)
        }
    }

    /// The asset of an id; `nil` if it is not here.
    @concurrent
    public func asset(_ id: Asset.ID) async throws(LibraryError) -> Asset? {
        try await read { connection throws(DatabaseError) in try connection.asset(id) }
    }

    /// The assets of many ids, in that order; without those that are not here.
    @concurrent
    public func assets(_ ids: [Asset.ID]) async throws(LibraryError) -> [Asset] {
        try await readAll { connection throws(DatabaseError) in
            try LibraryTable.assets.elements(ids.map(\.rawValue), connection)
        }
    }
}
