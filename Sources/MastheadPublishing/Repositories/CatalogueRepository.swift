public import MastheadNetworking

/// What the repositories of a publisher's catalogue have in common: the client key, and whether they ask for drafts.
///
/// ```swift
/// let volumes = VolumeRepository(configuration: .production)
/// let drafts = IssueRepository(configuration: .production, showsPreviews: true)
/// let kept = IssueRepository(configuration: .production, cache: cache, cachePolicy: .networkFirst())
/// ```
///
/// Each request carries the configuration's client key, to the configuration's host only; without a key a call ends in
/// `RepositoryError.invalidConfiguration` and nothing is sent. An app makes a ``VolumeRepository``, an
/// ``IssueRepository``, an ``ArticleRepository`` or an ``AssetRepository``; this one by itself asks the same server for
/// what none of them knows.
public class CatalogueRepository: AbstractRepository, @unchecked Sendable {
    final let access: CatalogueAccess

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - configuration: The environment, with the client key.
    ///   - session: Whose token goes with each request, and takes the client key's place in the `Authorization` field,
    ///     unless the configuration names another field for it; every call requires it. `nil` for a catalogue that asks
    ///     for the client key alone.
    ///   - cache: Where answers are kept, so that what was read can be read offline; `nil` keeps none.
    ///   - cachePolicy: What is wanted of the cache; an app that wants several makes a repository for each.
    ///   - showsPreviews: Whether to ask for drafts too; an app for readers never does.
    ///   - executor: What makes the exchanges.
    public init(
        configuration: NetworkingConfiguration,
        session: (any RepositorySession)? = nil,
        cache: ModelCache? = nil,
        cachePolicy: CachePolicy = .standard,
        showsPreviews: Bool = false,
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        access = CatalogueAccess(
            configuration: configuration,
            session: session,
            cache: cache,
            cachePolicy: cachePolicy,
            executor: executor,
            showsPreviews: showsPreviews
        )
        super.init(
            configuration: configuration,
            session: session,
            cache: cache,
            cachePolicy: cachePolicy,
            executor: executor
        )
    }

    /// Adds the client key.
    override public final func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        try access.authorize(&request)
    }
}
