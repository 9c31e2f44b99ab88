public import MastheadNetworking

/// Reads a publisher's articles.
///
/// ```swift
/// let articles = ArticleRepository(configuration: .production)
/// let contents = try await articles.articles(issue.articleIDs).get()
/// ```
///
/// Every method is safe to call from any task; see ``VolumeRepository`` for the client key and for pages.
///
/// ## Topics
///
/// ### One article
/// - ``article(_:)``
/// - ``article(sku:)``
///
/// ### The articles of an issue
/// - ``articles(_:)``
/// - ``fullArticles(_:)``
///
/// ### Lists, page by page
/// - ``articles(page:limit:since:)``
/// - ``publishedArticles(page:limit:since:)``
/// - ``previewArticles(page:limit:)``
/// - ``articles(where:equals:page:limit:)``
///
/// ### Lists, whole
/// - ``all(limit:since:)``
/// - ``allPublished(limit:since:)``
/// - ``allPreviews(limit:)``
/// - ``all(where:equals:limit:)``
///
/// ### Errors
/// - ``ArticleError``
public final class ArticleRepository: CatalogueRepository, @unchecked Sendable {
    /// Reads one article.
    ///
    /// - Returns: The article, or ``ArticleError`` when the server has none of that id.
    public func article(_ id: Article.ID) async -> Result<Article, RepositoryError> {
        await elements([id]).flatMap {
            $0.first.map(Result.success) ?? .failure(.customError(ArticleError.unknownArticle))
        }
    }

    /// Reads the article that a store sells under a name.
    ///
    /// - Returns: The article, or ``ArticleError`` when the server has none of that SKU.
    public func article(sku: SKU) async -> Result<Article, RepositoryError> {
        await element(sku)
    }

    /// Reads many articles: at most 50 a request, a few requests at a time.
    ///
    /// The first failure ends the whole. An id with a comma in it cannot be asked for.
    ///
    /// - Returns: The articles in the order of the ids, each once, without those the server does not know.
    public func articles(_ ids: [Article.ID]) async -> Result<[Article], RepositoryError> {
        await elements(ids)
    }

    /// Reads those articles of a list that came without their text; the others are taken as they are.
    ///
    /// - Returns: The articles in the order of the list, without those the server no longer knows.
    public func fullArticles(_ articles: [Article]) async -> Result<[Article], RepositoryError> {
        await elements(articles.filter(\.isStub).map(\.id)).map { fetched in
            let found = Dictionary(fetched.map { ($0.id, $0) }) { first, _ in first }
            return articles.compactMap { $0.isStub ? found[$0.id] : $0 }
        }
    }
}
