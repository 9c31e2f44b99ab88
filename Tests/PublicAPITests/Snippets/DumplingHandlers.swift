import Foundation
import MastheadNetworking
import MastheadPublishing

// What the article "Coming from Dumpling" says to write now, each under the old name, up to the next empty line. The
// article has it in one line, without `_ =`. See DumplingTests.

private func show(_ volumes: [Volume], _ count: Int) {}

private func firstLook(_ folder: URL, _ production: NetworkingConfiguration) async throws {
    // snippet
    let library = try await Library(directory: folder, catalogue: Catalogue(configuration: production))

    let report = try await library.add(volumeSKU: "org.example.tidewater.volume.1")
    for await volumes in library.observe(library.volumes.published()) { show(volumes, report.articles.count) }
    // end
}

private func volumeHandler(
    _ library: Library,
    _ catalogue: Catalogue,
    _ production: NetworkingConfiguration,
    _ folder: URL
) async throws {
    // old: VolumeHandler.init?(folder)
    // old: VolumeHandler.init(clientkey)
    // old: VolumeHandler.init(folder, clientkey)
    _ = try await Library(directory: folder, catalogue: Catalogue(configuration: production))

    // old: VolumeHandler.addVolumeFromAPI(globalId)
    try await library.add(volume: "v1")

    // old: VolumeHandler.addVolumeFor(appleId)
    try await library.add(volumeSKU: "org.example.volume.1")

    // old: VolumeHandler.addAllVolumes()
    try await library.addAllVolumes(page: 1)

    // old: VolumeHandler.addAllVolumes(page, limit)
    try await library.addAllVolumes(page: 2, limit: 50)

    // old: VolumeHandler.getVolume(volumeId)
    _ = try await library.volume("v1")

    // old: VolumeHandler.listVolumes()
    for try await volume in catalogue.volumes.all() { print(volume.id, volume.title) }
}

private func issueHandler(
    _ library: Library,
    _ catalogue: Catalogue,
    _ production: NetworkingConfiguration,
    _ folder: URL,
    _ date: Date
) async throws {
    // old: IssueHandler.init?(folder)
    // old: IssueHandler.init(clientkey)
    // old: IssueHandler.init(folder, clientkey)
    // old: IssueHandler.init(folder, clientkey, migration)
    _ = try await Library(directory: folder, catalogue: Catalogue(configuration: production))

    // old: IssueHandler.addIssueFromAPI(issueId, volumeId?, withArticles)
    try await library.add(issue: "i1", withArticles: true)

    // old: IssueHandler.addAllIssues()
    try await library.addAllIssues()

    // old: IssueHandler.addAllIssues(timestamp?)
    try await library.addAllIssues(since: date)

    // old: IssueHandler.addOnlyIssuesWithoutArticles()
    try await library.addAllIssues(withArticles: false)

    // old: IssueHandler.addOnlyIssuesWithoutArticles(timestamp?)
    try await library.addAllIssues(since: date, withArticles: false)

    // old: IssueHandler.addOnlyIssuesWithoutArticles(page)
    try await library.addAllIssues(page: 1, withArticles: false)

    // old: IssueHandler.addOnlyIssuesWithoutArticles(timestamp?, page?)
    try await library.addAllIssues(page: 1, since: date, withArticles: false)

    // old: IssueHandler.addPreviewIssues()
    try await library.addAllIssues(.previews, withArticles: false)

    // old: IssueHandler.addPreviewIssues(timestamp?)
    try await library.addAllIssues(.previews, since: date, withArticles: false)

    // old: IssueHandler.addPreviewIssues(page)
    try await library.addAllIssues(.previews, page: 1, withArticles: false)

    // old: IssueHandler.addPreviewIssues(timestamp?, page?)
    try await library.addAllIssues(.previews, page: 1, since: date, withArticles: false)

    // old: IssueHandler.listIssues()
    for issue in try await catalogue.issues.issues().get() { print(issue.id, issue.title) }

    // old: IssueHandler.searchIssueFor(appleId)
    _ = try await library.issues.withSKU("org.example.issue.1").first()

    // old: IssueHandler.getIssue(issueId)
    _ = try await library.issue("i1")

    // old: IssueHandler.downloadArticlesFor(issueId)
    try await library.add(issue: "i1")

    // old: IssueHandler.downloadAssetsFor(issueId)
    for id in try await library.assets.ofIssue("i1").ids() { _ = try await library.fetchFile(of: id, .original) }

    // old: IssueHandler.downloadAllAssetsFor(issueId)
    for id in try await library.assets.ofIssue("i1").ids() + library.assets.ofArticles(in: "i1").ids() {
        _ = try await library.fetchFile(of: id, .original)
    }
}

private func articleHandler(
    _ library: Library,
    _ production: NetworkingConfiguration,
    _ folder: URL,
    _ date: Date
) async throws {
    // old: ArticleHandler.init?(folder)
    // old: ArticleHandler.init(clientkey)
    // old: ArticleHandler.init(folder, clientkey)
    _ = try await Library(directory: folder, catalogue: Catalogue(configuration: production))

    // old: ArticleHandler.addArticleFromAPI(globalId)
    try await library.add(article: "a1")

    // old: ArticleHandler.addArticleFromAPI(globalId, issueId)
    try await library.add(issue: "i1")

    // old: ArticleHandler.addArticleWith(appleId)
    try await library.add(articleSKU: "org.example.article.1")

    // old: ArticleHandler.updateArticleFromAPI(globalId, handler?)
    try await library.refresh(article: "a1")

    // old: ArticleHandler.addArticlesFor(property, value, page, limit)
    try await library.addAllArticles(where: "section", equals: "News", page: 1, limit: 20)

    // old: ArticleHandler.addAllArticles(page, limit)
    try await library.addAllArticles(nil, page: 1, limit: 20)

    // old: ArticleHandler.addAllArticles(page, limit, timestamp?)
    try await library.addAllArticles(nil, page: 1, limit: 20, since: date)

    // old: ArticleHandler.addPreviewArticles(page, limit)
    try await library.addAllArticles(.previews, page: 1, limit: 20)

    // old: ArticleHandler.addAllPublishedArticles(page, limit)
    try await library.addAllArticles(.published, page: 1, limit: 20)

    // old: ArticleHandler.addAllPublishedArticles(page, limit, timestamp?)
    try await library.addAllArticles(.published, page: 1, limit: 20, since: date)

    // old: ArticleHandler.getAllArticles(page, count)
    _ = try await library.articles.independent().page(1, limit: 20)

    // old: ArticleHandler.getArticle(articleId)
    _ = try await library.article("a1")
}
