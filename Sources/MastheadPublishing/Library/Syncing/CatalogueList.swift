/// Which of a catalogue's lists is meant.
///
/// ```swift
/// try await library.addAllIssues(.published, page: 1)
/// ```
public enum CatalogueList: Sendable, Hashable {
    /// What readers may see.
    case published

    /// What readers may not see yet: the server gives it to a catalogue that shows previews.
    case previews
}
