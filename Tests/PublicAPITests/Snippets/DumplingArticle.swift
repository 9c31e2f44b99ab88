import Foundation
import MastheadNetworking
import MastheadPublishing

// What the article "Coming from Dumpling" says to write now, each under the old name, up to the next empty line. The
// article has it in one line, without `_ =`. See DumplingTests.

private func article(_ library: Library, _ date: Date, _ issue: Issue, _ article: Article) async throws {
    // old: Article.deleteArticlesFor(issueId)
    try await library.apply { $0.delete(articlesOf: "i1") }

    // old: Article.getArticlesFor(issueId?, type?, excludeType?, count, page)
    _ = try await library.articles.inIssue("i1").ofType("feature").notOfType("ad").newest().page(1, limit: 20)

    // old: Article.getArticlesFor(issueId?, key, value, count, page)
    _ = try await library.articles.inIssue("i1").where(.section, is: "News").newest().page(1, limit: 20)

    // old: Article.getArticle(articleId?, appleId?)
    _ = try await library.article("a1")

    // old: Article.searchArticlesWith(keywords, issueId?)
    _ = try await library.articles.inIssue("i1").withKeyword(anyOf: ["harbour"]).all()

    // old: Article.getFeaturedArticlesFor(issueId)
    _ = try await library.articles.inIssue("i1").featured().all()

    // old: Article.setAssetPattern(regex)
    _ = try BodyRenderer(pattern: BodyPattern(#"\{\{asset ([^}\s]+)\}\}"#))

    // old: Article.getOlderArticles(date)
    _ = try await library.articles.older(than: date).all()

    // old: Article.getNewerArticles(date)
    _ = try await library.articles.newer(than: date).oldest().all()

    // old: Article.refreshArticle(handler?)
    try await library.refresh(article: article.id)

    // old: Article.deleteArticle()
    try await library.apply { $0.delete(article: article.id) }

    // old: Article.deleteArticle(globalId)
    try await library.apply { $0.delete(article: "a1") }

    // old: Article.downloadArticleAssets(handler?)
    for id in article.assetIDs { _ = try await library.fetchFile(of: id, .original) }

    // old: Article.downloadFirstAsset(handler?)
    if let id = article.assetIDs.first { _ = try await library.fetchFile(of: id, .thumbnail) }

    // old: Article.saveArticle()
    try await library.apply { $0.save(article) }

    // old: Article.replacePatternsWithAssets()
    _ = try await library.html(of: article)

    // old: Article.getOlderArticles()
    _ = try await library.articles.inIssue(issue.id).older(than: date).newest().all()

    // old: Article.getNewerArticles()
    _ = try await library.articles.inIssue(issue.id).newer(than: date).oldest().all()

    // old: Article.getValue(key)
    _ = article.customMetadata["readingMinutes"]?.intValue

    // old: Article.globalId
    _ = article.id

    // old: Article.appleId
    _ = article.sku

    // old: Article.title
    _ = article.title

    // old: Article.body
    _ = article.body

    // old: Article.articleDesc
    _ = article.summary

    // old: Article.slug
    _ = article.slug

    // old: Article.section
    _ = article.section

    // old: Article.articleType
    _ = article.type

    // old: Article.commentary
    _ = article.commentary

    // old: Article.authorName
    _ = article.authorName

    // old: Article.authorURL
    _ = article.authorURL

    // old: Article.authorBio
    _ = article.authorBio

    // old: Article.url
    _ = article.sharingURL

    // old: Article.keywords
    _ = article.keywords

    // old: Article.thumbImageURL
    _ = article.assetIDs.first

    // old: Article.metadata
    _ = article.customMetadata.text

    // old: Article.isFeatured
    _ = article.isFeatured

    // old: Article.isPublished
    _ = article.isPublished

    // old: Article.date
    _ = article.publishedDate

    // old: Article.issueId
    _ = try await library.issues.ofArticle(article.id).ids()

    // old: Article.placement
    _ = issue.placement(of: article.id)
}
