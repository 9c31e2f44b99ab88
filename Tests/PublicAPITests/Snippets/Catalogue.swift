import Foundation
import MastheadNetworking
import MastheadPublishing

// What the articles of MastheadPublishing take for granted.
private let keyFromYourBuild = "4f2c9a"
private let lastSync = Date(timeIntervalSince1970: 1_767_600_000)

private func store(_ issue: Issue) {}
private func show(_ issue: Issue, _ articles: [Article]) {}
private func showNotFound() {}
private func report(_ error: RepositoryError) {}

private func wholeIssue(
    _ volumes: VolumeRepository,
    _ issues: IssueRepository,
    _ articles: ArticleRepository,
    _ assets: AssetRepository
) async throws -> [Asset] {
    // snippet
    let volume = try await volumes.volume("64a0c0ffee0000000000a001").get()
    let issue = try await issues.issue(volume.issueIDs[0]).get()
    let contents = try await articles.articles(issue.articleIDs).get()
    let pictures = try await assets.assets(contents.flatMap(\.assetIDs)).get()
    // end
    return pictures
}

private func sync(_ issues: IssueRepository) async throws {
    // snippet
    for try await issue in issues.allPublished(limit: 50, since: lastSync) { store(issue) }
    // end
}

private func byName() async throws {
    // snippet
    let production = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.clientKey = Secret(keyFromYourBuild)
    }
    let issues = IssueRepository(configuration: production)
    let articles = ArticleRepository(configuration: production)

    switch await issues.issue(sku: "org.example.tidewater.issue.20260105") {
    case .success(let issue): show(issue, try await articles.articles(issue.articleIDs).get())
    case .failure(.customError(IssueError.unknownIssue)): showNotFound()
    case .failure(let error): report(error)
    }
    // end
}
