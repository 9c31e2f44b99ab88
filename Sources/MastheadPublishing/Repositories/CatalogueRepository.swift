public import MastheadNetworking

/// What the repositories of a publisher's catalogue have in common: the client key, and whether they ask for drafts.
///
/// ```swift
/// let volumes = VolumeRepository(configuration: .production)
/// let drafts = IssueRepository(configuration: .production, showsPreviews: true)
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
    ///   - showsPreviews: Whether to ask for drafts too; an app for readers never does.
    ///   - executor: What makes the exchanges.
    public init(
        configuration: NetworkingConfiguration,
        session: (any RepositorySession)? = nil,
        showsPreviews: Bool = false,
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        access = CatalogueAccess(
            configuration: configuration,
            session: session,
            executor: executor,
            showsPreviews: showsPreviews
        )
        super.init(configuration: configuration, session: session, executor: executor)
    }

    /// Adds the client key.
    override public final func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        try access.authorize(&request)
    }
}
