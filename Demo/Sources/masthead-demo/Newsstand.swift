import MastheadNetworking
import MastheadPublishing

/// The repositories of one environment, as an app would keep them.
struct Newsstand: Sendable {
    let configuration: NetworkingConfiguration
    let volumes: VolumeRepository
    let issues: IssueRepository
    let articles: ArticleRepository
    let assets: AssetRepository
    let proofs: ProofRepository

    init(_ configuration: NetworkingConfiguration, showsPreviews: Bool = false) {
        self.configuration = configuration
        volumes = VolumeRepository(configuration: configuration, showsPreviews: showsPreviews)
        issues = IssueRepository(configuration: configuration, showsPreviews: showsPreviews)
        articles = ArticleRepository(configuration: configuration, showsPreviews: showsPreviews)
        assets = AssetRepository(configuration: configuration, showsPreviews: showsPreviews)
        proofs = ProofRepository(configuration: configuration)
    }

    /// An issue and all that stands in it.
    struct WholeIssue: Sendable {
        let issue: Issue
        let articles: [Article]
        let assets: [Asset]
    }

    /// Fetches an issue, then its articles, then their assets.
    func whole(_ id: Issue.ID) async throws(RepositoryError) -> WholeIssue {
        let issue = try await issues.issue(id).get()
        let articles = try await articles.articles(issue.articleIDs).get()
        var wanted: [Asset.ID] = []
        for asset in issue.assetIDs + articles.flatMap(\.assetIDs) where !wanted.contains(asset) {
            wanted.append(asset)
        }
        return WholeIssue(issue: issue, articles: articles, assets: try await assets.assets(wanted).get())
    }
}
