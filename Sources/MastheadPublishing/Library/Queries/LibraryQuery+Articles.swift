public import FoundationEssentials

extension LibraryQuery<Article> {
    /// Only the one of an id.
    public func withID(_ id: Article.ID) -> Self { withRawID(id.rawValue) }

    /// Only what a store sells under a name.
    public func withSKU(_ sku: SKU) -> Self { self.where(.sku, is: sku) }

    /// Only what an issue holds, in its order.
    public func inIssue(_ issue: Issue.ID) -> Self { with { $0.add(.issueArticles, issue.rawValue) } }

    /// Only what no issue in the library holds.
    public func independent() -> Self {
        let sql = "NOT EXISTS (SELECT 1 FROM issue_article x JOIN issue i ON i.id = x.parent WHERE x.child = e.id)"
        return with { $0.conditions.append(QueryText(sql: sql)) }
    }

    /// Only what shows an asset.
    public func ofAsset(_ asset: Asset.ID) -> Self { holding(asset.rawValue, by: .articleAssets) }

    /// Only articles of a type, in the publisher's own words.
    public func ofType(_ type: String) -> Self { self.where(.type, is: type) }

    /// Only articles of another type.
    public func notOfType(_ type: String) -> Self { self.where(.not(.field(.type, is: type))) }

    /// Only what is put forward: in the issue that is asked for, else wherever it is.
    public func featured() -> Self { with { $0.isFeaturedOnly = true } }

    /// Only what readers may see.
    public func published() -> Self { self.where(.isPublished, is: true) }

    /// Only what was published before a date.
    public func older(than date: Date) -> Self { self.where(.field(.date, isLessThan: date)) }

    /// Only what was published after a date.
    public func newer(than date: Date) -> Self { self.where(.field(.date, isGreaterThan: date)) }

    /// Only what has one of these keywords: whole, in any case, with or without diacritics.
    public func withKeyword(anyOf words: [String]) -> Self { self.where(.keyword(anyOf: words)) }

    /// With their texts, which otherwise stay on the disk.
    public func bodies() -> Self { with { $0.hasBodies = true } }
}
