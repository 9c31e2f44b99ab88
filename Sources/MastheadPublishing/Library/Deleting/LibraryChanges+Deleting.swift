extension LibraryChanges {
    /// Deletes a volume, and what only it holds: its issues with their contents, and its assets.
    ///
    /// What another volume, issue or article holds lives on, and so does everything that was bought. The files go after the
    /// commit. What is not there is not missed.
    ///
    /// - Parameters:
    ///   - id: The volume.
    ///   - force: Whether even what was bought goes; without it a volume that was bought refuses with
    ///     ``LibraryError/purchased(_:)``, and nothing at all is changed.
    public mutating func delete(volume id: Volume.ID, force: Bool = false) { append(.deleteVolume(id, force)) }

    /// Deletes an issue, and what only it holds: its articles with their assets, and its own assets.
    ///
    /// Articles that stand on their own live on; the rest is as for a volume.
    public mutating func delete(issue id: Issue.ID, force: Bool = false) { append(.deleteIssue(id, force)) }

    /// Deletes the articles of an issue, those that nothing else holds; the issue stays, and is empty then.
    public mutating func delete(articlesOf id: Issue.ID, force: Bool = false) {
        append(.deleteArticles(id, force))
    }

    /// Deletes an article from everything that holds it, with the assets that only it holds.
    public mutating func delete(article id: Article.ID, force: Bool = false) { append(.deleteArticle(id, force)) }

    /// Deletes an asset from everything that holds it, with its files.
    public mutating func delete(asset id: Asset.ID) { append(.deleteAsset(id)) }
}
