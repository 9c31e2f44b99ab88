extension LibraryQuery<Asset> {
    /// Only the one of an id.
    public func withID(_ id: Asset.ID) -> Self { withRawID(id.rawValue) }

    /// Only the volume's own, in its order.
    public func ofVolume(_ volume: Volume.ID) -> Self { with { $0.add(.volumeAssets, volume.rawValue) } }

    /// Only the issue's own, in its order; not those of its articles.
    public func ofIssue(_ issue: Issue.ID) -> Self { with { $0.add(.issueAssets, issue.rawValue) } }

    /// Only what an article shows, in its order.
    public func ofArticle(_ article: Article.ID) -> Self { with { $0.add(.articleAssets, article.rawValue) } }

    /// Only those of the articles of an issue, as they were first saved.
    public func ofArticles(in issue: Issue.ID) -> Self {
        let sql = """
            e.id IN (SELECT a.child FROM issue_article r JOIN article_asset a ON a.parent = r.child WHERE r.parent = ?)
            """
        return with { $0.conditions.append(QueryText(sql: sql, values: [.text(issue.rawValue)], isIndexed: true)) }
    }

    /// Only assets of a kind.
    public func ofKind(_ kind: Asset.Kind) -> Self { self.where(.kind, is: kind) }

    /// Only sounds.
    public func playlist() -> Self { ofKind(.sound) }
}
