/// What a call that brought a library up to date has done.
///
/// ```swift
/// let report = try await library.refresh()
/// if report.isEmpty { return }
/// show("\(report.articles.count) articles are new or have changed")
/// for list in report.keptLists { log("kept \(list.missing.count) entries of \(list)") }
/// ```
public struct SyncReport: Sendable, Hashable {
    /// The volumes that were saved, since they are new or have changed.
    public internal(set) var volumes: [Volume.ID] = []

    /// The issues that were saved, since they are new or have changed.
    public internal(set) var issues: [Issue.ID] = []

    /// The articles that were saved, since they are new or have changed.
    public internal(set) var articles: [Article.ID] = []

    /// The assets that were saved; their files are another matter.
    public internal(set) var assets: [Asset.ID] = []

    /// What the publisher no longer has, and what nothing holds any more: removed, unless it was bought or has files.
    public internal(set) var removed: [LibraryItem] = []

    /// What is named somewhere, and the server does not know.
    public internal(set) var unknown: [LibraryItem] = []

    /// The lists that came back empty or much shorter, and whose entries were kept: see ``ShrinkagePolicy``.
    public internal(set) var keptLists: [ShrunkenList] = []

    /// How many requests were made of the catalogue.
    public internal(set) var requestCount = 0

    /// Whether nothing was written.
    public var isEmpty: Bool {
        volumes.isEmpty && issues.isEmpty && articles.isEmpty && assets.isEmpty && removed.isEmpty
    }
}
