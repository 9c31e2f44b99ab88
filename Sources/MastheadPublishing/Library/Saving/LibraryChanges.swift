import FoundationEssentials

/// What is to be done to a library, in order: a value that ``Library/apply(_:)-(LibraryChanges)`` does whole or not at all.
///
/// ```swift
/// try await library.apply {
///     $0.save(assets)                     // before the articles that show them, so that each is indexed once
///     $0.save(articles)
///     $0.save(issue)
///     $0.setFeatured(true, "a1", in: issue.id)
///     $0.delete(volume: "v0")
/// }
/// ```
///
/// ## Topics
///
/// ### Saving
/// - ``save(_:)-(Volume)``
/// - ``save(_:)-(Issue)``
/// - ``save(_:)-(Article)``
/// - ``save(_:)-(Asset)``
/// - ``setFeatured(_:_:in:)``
/// - ``setPurchased(_:_:)``
/// - ``indexing``
///
/// ### Deleting
/// - ``delete(volume:force:)``
/// - ``delete(issue:force:)``
/// - ``delete(articlesOf:force:)``
/// - ``delete(article:force:)``
/// - ``delete(asset:)``
public struct LibraryChanges: Sendable {
    enum Step: Sendable {
        case saveVolumes([Volume])
        case saveIssues([Issue])
        case saveArticles([Article])
        case saveAssets([Asset])
        case setFeatured(Bool?, Article.ID, Issue.ID)
        case setPurchased(Bool, LibraryItem)
        case deleteVolume(Volume.ID, Bool)
        case deleteIssue(Issue.ID, Bool)
        case deleteArticles(Issue.ID, Bool)
        case deleteArticle(Article.ID, Bool)
        case deleteAsset(Asset.ID)
        case letStandAlone([Article.ID])
        case prune(LibraryRemnants)
        case setMark(Date, String)
    }

    private(set) var steps: [Step] = []

    /// When the articles that are saved can be searched: at once, unless something else is said.
    public var indexing = Indexing.atOnce

    /// Begins with nothing to do.
    public init() {}

    mutating func append(_ step: Step) { steps.append(step) }

    /// Saves a volume, with the order of its issues and assets.
    ///
    /// The lists are taken as whole: what they no longer name is unlinked, and nothing is deleted. A volume of which nothing
    /// but the id is known changes nothing that is known already. The same holds for issues and articles.
    public mutating func save(_ volume: Volume) { steps.append(.saveVolumes([volume])) }

    /// Saves volumes, as one.
    public mutating func save(_ volumes: [Volume]) { steps.append(.saveVolumes(volumes)) }

    /// Saves an issue, with the order of its articles and assets.
    ///
    /// ``Issue/volumeIDs`` only adds: most answers of the server leave it out. An article that stays in the issue stays
    /// featured in it.
    public mutating func save(_ issue: Issue) { steps.append(.saveIssues([issue])) }

    /// Saves issues, as one.
    public mutating func save(_ issues: [Issue]) { steps.append(.saveIssues(issues)) }

    /// Saves an article, with the order of its assets.
    ///
    /// An article without a text (``Article/isStub``), as lists have them, leaves the text that is stored. One that no stored
    /// issue holds when the changes are done stands on its own: it outlives the issues that hold it later.
    public mutating func save(_ article: Article) { steps.append(.saveArticles([article])) }

    /// Saves articles, as one.
    public mutating func save(_ articles: [Article]) { steps.append(.saveArticles(articles)) }

    /// Saves what is known of an asset; its files are another matter.
    public mutating func save(_ asset: Asset) { steps.append(.saveAssets([asset])) }

    /// Saves assets, as one.
    public mutating func save(_ assets: [Asset]) { steps.append(.saveAssets(assets)) }

    /// Puts an article forward in one issue, or holds it back there.
    ///
    /// - Parameters:
    ///   - isFeatured: Whether to; `nil` for what the article says of itself.
    ///   - article: The article.
    ///   - issue: An issue that holds it; another one is left as it is.
    public mutating func setFeatured(_ isFeatured: Bool?, _ article: Article.ID, in issue: Issue.ID) {
        steps.append(.setFeatured(isFeatured, article, issue))
    }

    /// Notes that something was bought, so that it is deleted only by force; what is not stored is left alone.
    public mutating func setPurchased(_ isPurchased: Bool, _ item: LibraryItem) {
        steps.append(.setPurchased(isPurchased, item))
    }
}
