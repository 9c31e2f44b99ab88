/// A part of an article that can be searched by itself.
///
/// ```swift
/// let query = SearchQuery.field(.author, .prefix("oka"))     // or, as readers write it: author:oka*
/// ```
public enum SearchField: String, Sendable, Hashable, CaseIterable {
    /// The title.
    case title

    /// What it is about.
    case summary

    /// The text.
    case body

    /// Who wrote it.
    case author

    /// The words to find it by.
    case keywords

    /// What is said of its pictures.
    case captions
}
