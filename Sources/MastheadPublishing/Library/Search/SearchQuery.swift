/// What is searched for: made of parts, or read from what somebody typed.
///
/// ```swift
/// let typed = SearchQuery("harbour -ferry title:\"low water\"")
/// let asTyped = SearchQuery(typing: "low wat")                // finds "low water" already
/// let made = SearchQuery.all([.word("harbour"), .field(.author, .prefix("oka"))])
/// ```
///
/// Case and diacritics do not count. Any text makes a query, none is ever an error: what cannot be found in texts, such as
/// a lone `&`, is passed over.
public indirect enum SearchQuery: Sendable, Hashable {
    /// A word; of what holds several, such as `well-known`, they stand side by side.
    case word(String)

    /// Words that begin so.
    case prefix(String)

    /// Words side by side, in this order.
    case phrase(String)

    /// Something in one part of the article.
    case field(SearchField, SearchQuery)

    /// All of these.
    case all([SearchQuery])

    /// At least one of these.
    case any([SearchQuery])

    /// The first without the second.
    case excluding(SearchQuery, SearchQuery)

    /// Reads what a reader wrote.
    ///
    /// Words must all be there. `"…"` keeps words together, `*` at the end of a word stands for the rest of it, `OR` between
    /// two asks for one of them, `NOT` or `-` before one for none of it, brackets keep together, and `title:`, `summary:`,
    /// `body:`, `author:`, `keywords:` and `captions:` say where. Words in small letters are never anything but words.
    public init(_ text: String) {
        var parser = SearchParser(text, isTyping: false)
        self = parser.query()
    }

    /// Reads what a reader is still writing: the last word may be the beginning of one, unless a space follows it.
    public init(typing text: String) {
        var parser = SearchParser(text, isTyping: true)
        self = parser.query()
    }

    /// Whether there is nothing to search for, so that nothing is found.
    public var isEmpty: Bool { expression == nil }
}
