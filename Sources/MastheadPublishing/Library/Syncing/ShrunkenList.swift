/// A list of the publisher's that came back empty, or much shorter than it was.
///
/// That may be meant. It may as well be a server that answers before it has its data, or an answer that was cut: so an app
/// is asked before anything is taken out. See ``ShrinkagePolicy``.
///
/// ```swift
/// let library = try await Library(
///     directory: folder, catalogue: catalogue, shrinkage: .asks { list in list.isEmpty ? .keep : .unlink }
/// )
/// ```
public struct ShrunkenList: Sendable, Hashable {
    /// What a list is of.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// Volumes.
        case volumes

        /// The issues of a volume.
        case issues

        /// The articles of an issue.
        case articles

        /// The assets of a volume, an issue or an article.
        case assets
    }

    /// What to do.
    public enum Answer: Sendable, Hashable {
        /// Leaves the entries that are missing where they are, behind those that came.
        case keep

        /// Takes them out, as with any other list: what nothing else holds then goes.
        case unlink
    }

    /// What it is a list of.
    public let kind: Kind

    /// What holds the list; `nil` for the catalogue itself.
    public let holder: LibraryItem?

    /// The ids that stand in it no longer, in their order.
    public let missing: [String]

    /// How many entries it has now.
    public let count: Int

    /// Whether it has none.
    public var isEmpty: Bool { count == 0 }
}
