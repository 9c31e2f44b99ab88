public import FoundationEssentials

extension LibraryQuery<Volume> {
    /// Only the one of an id.
    public func withID(_ id: Volume.ID) -> Self { withRawID(id.rawValue) }

    /// Only what a store sells under a name.
    public func withSKU(_ sku: SKU) -> Self { self.where(.sku, is: sku) }

    /// Only what readers may see.
    public func published() -> Self { self.where(.isPublished, is: true) }

    /// Only what was published before a date.
    public func older(than date: Date) -> Self { self.where(.field(.date, isLessThan: date)) }

    /// Only what was published after a date.
    public func newer(than date: Date) -> Self { self.where(.field(.date, isGreaterThan: date)) }

    /// Only what has one of these keywords: whole, in any case, with or without diacritics.
    public func withKeyword(anyOf words: [String]) -> Self { self.where(.keyword(anyOf: words)) }

    /// Only those that hold an issue.
    public func ofIssue(_ issue: Issue.ID) -> Self { holding(issue.rawValue, by: .volumeIssues) }
}

extension LibraryQuery<Issue> {
    /// Only the one of an id.
    public func withID(_ id: Issue.ID) -> Self { withRawID(id.rawValue) }

    /// Only what a store sells under a name.
    public func withSKU(_ sku: SKU) -> Self { self.where(.sku, is: sku) }

    /// Only what a volume holds, in its order.
    public func ofVolume(_ volume: Volume.ID) -> Self { with { $0.add(.volumeIssues, volume.rawValue) } }

    /// Only what readers may see.
    public func published() -> Self { self.where(.isPublished, is: true) }

    /// Only what appeared before a date.
    public func older(than date: Date) -> Self { self.where(.field(.date, isLessThan: date)) }

    /// Only what appeared after a date.
    public func newer(than date: Date) -> Self { self.where(.field(.date, isGreaterThan: date)) }

    /// Only those that hold an article.
    public func ofArticle(_ article: Article.ID) -> Self { holding(article.rawValue, by: .issueArticles) }
}

extension LibraryQuery {
    func withRawID(_ id: String) -> Self {
        with { $0.conditions.append(QueryText(sql: "e.id = ?", values: [.text(id)], isIndexed: true)) }
    }

    /// Only those that hold a child.
    func holding(_ child: String, by relation: LibraryRelation) -> Self {
        let sql = "e.id IN (SELECT parent FROM \(relation.name) WHERE child = ?)"
        return with { $0.conditions.append(QueryText(sql: sql, values: [.text(child)], isIndexed: true)) }
    }
}
