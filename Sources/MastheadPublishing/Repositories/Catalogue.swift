public import MastheadNetworking

/// A publisher's whole catalogue: its four repositories, made alike.
///
/// ```swift
/// let catalogue = Catalogue(configuration: .production)
/// let volume = try await catalogue.volumes.volume("v1").get()
/// let library = try await Library(directory: folder, catalogue: catalogue)
/// ```
public struct Catalogue: Sendable {
    /// Reads volumes.
    public let volumes: VolumeRepository

    /// Reads issues.
    public let issues: IssueRepository

    /// Reads articles.
    public let articles: ArticleRepository

    /// Reads assets, and fetches their files.
    public let assets: AssetRepository

    /// Makes the repositories; the parameters are those of each, see ``CatalogueRepository``.
    public init(
        configuration: NetworkingConfiguration,
        session: (any RepositorySession)? = nil,
        cache: ModelCache? = nil,
        cachePolicy: CachePolicy = .standard,
        showsPreviews: Bool = false,
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        func make<Repository>(
            _ make: (
                NetworkingConfiguration, (any RepositorySession)?, ModelCache?, CachePolicy, Bool, any RequestExecutor
            ) -> Repository
        ) -> Repository {
            make(configuration, session, cache, cachePolicy, showsPreviews, executor)
        }
        volumes = make(VolumeRepository.init)
        issues = make(IssueRepository.init)
        articles = make(ArticleRepository.init)
        assets = make(AssetRepository.init)
    }

    /// Whether it asks for what readers may not see yet.
    var showsPreviews: Bool { volumes.access.showsPreviews }
}
