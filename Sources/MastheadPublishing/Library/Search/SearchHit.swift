/// An article that was found, and where.
///
/// ```swift
/// for hit in try await library.search("harbour") { row(hit.title, hit.snippet) }
/// ```
public struct SearchHit: Sendable, Hashable, Identifiable {
    /// The article, without its text.
    public let article: Article

    /// Its title.
    public let title: HighlightedText

    /// The part of it that says best what was searched for.
    public let snippet: HighlightedText

    /// The article's id.
    public var id: Article.ID { article.id }
}
