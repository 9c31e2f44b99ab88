/// One thing in a library, whichever kind it is of.
///
/// ```swift
/// try await library.apply { $0.setPurchased(true, .issue("i1")) }
/// ```
public enum LibraryItem: Sendable, Hashable {
    /// A volume.
    case volume(Volume.ID)

    /// An issue.
    case issue(Issue.ID)

    /// An article.
    case article(Article.ID)
}

extension LibraryItem: CustomStringConvertible {
    /// The kind and the id.
    public var description: String {
        switch self {
        case .volume(let id): "volume \(id)"
        case .issue(let id): "issue \(id)"
        case .article(let id): "article \(id)"
        }
    }
}
