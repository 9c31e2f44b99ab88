public import FoundationEssentials
public import MastheadNetworking

extension ArticleRepository {
    /// Reads one page of all articles.
    ///
    /// - Parameters:
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many articles a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it; what changed at that very moment comes again.
    /// - Returns: The articles of that page, empty past the last; some servers leave out their texts, see
    ///   ``fullArticles(_:)``.
    public func articles(
        page: Int = 1,
        limit: Int = 20,
        since date: Date? = nil
    ) async -> Result<[Article], RepositoryError> {
        await list(CataloguePath.list(["articles"], since: date), query: Parameters(page: page, limit: limit))
    }

    /// Reads one page of the articles that readers may see; parameters as for all articles.
    public func publishedArticles(
        page: Int = 1,
        limit: Int = 20,
        since date: Date? = nil
    ) async -> Result<[Article], RepositoryError> {
        await list(Self.published(since: date), query: Parameters(page: page, limit: limit))
    }

    /// Reads one page of the articles that readers may not see yet; parameters as for all articles.
    ///
    /// The server gives them to a repository that shows previews.
    public func previewArticles(page: Int = 1, limit: Int = 20) async -> Result<[Article], RepositoryError> {
        await list("articles/preview", query: Parameters(page: page, limit: limit))
    }

    /// Reads one page of the articles of which a property has a value.
    ///
    /// Which properties there are is up to the publisher; keys of ``Article/customMetadata`` are among them. One that is
    /// empty, or called `published`, `preview`, `since` or `sku`, cannot be asked for.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - value: Its value; not empty.
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many articles a page has; 0 or less means 20.
    /// - Returns: The articles of that page, empty past the last and where none has that value.
    public func articles(
        where property: String,
        equals value: String,
        page: Int = 1,
        limit: Int = 20
    ) async -> Result<[Article], RepositoryError> {
        if let problem = CataloguePath.problem(withProperty: property) { return .failure(problem) }
        return await list("articles/\(property)/\(value)", query: Parameters(page: page, limit: limit))
    }

    /// Reads all articles, page by page, as they are asked for.
    ///
    /// - Parameters:
    ///   - limit: How many articles a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it; what changed at that very moment comes again.
    /// - Returns: The articles, and ``CatalogueSequence/pages`` of them.
    public func all(limit: Int = 20, since date: Date? = nil) -> CatalogueSequence<Article> {
        CatalogueSequence(access, path: CataloguePath.list(["articles"], since: date), limit: limit)
    }

    /// Reads all articles that readers may see, page by page, as they are asked for; parameters as for all articles.
    public func allPublished(limit: Int = 20, since date: Date? = nil) -> CatalogueSequence<Article> {
        CatalogueSequence(access, path: Self.published(since: date), limit: limit)
    }

    /// Reads all articles that readers may not see yet, page by page, as they are asked for.
    ///
    /// - Parameter limit: How many articles a page has; 0 or less means 20.
    /// - Returns: The articles, and ``CatalogueSequence/pages`` of them.
    public func allPreviews(limit: Int = 20) -> CatalogueSequence<Article> {
        CatalogueSequence(access, path: "articles/preview", limit: limit)
    }

    /// Reads all articles of which a property has a value, page by page, as they are asked for.
    ///
    /// - Parameters:
    ///   - property: The property, as in ``articles(where:equals:page:limit:)``.
    ///   - value: Its value; not empty.
    ///   - limit: How many articles a page has; 0 or less means 20.
    /// - Returns: The articles, and ``CatalogueSequence/pages`` of them.
    public func all(where property: String, equals value: String, limit: Int = 20) -> CatalogueSequence<Article> {
        let problem = CataloguePath.problem(withProperty: property)
        return CatalogueSequence(access, path: "articles/\(property)/\(value)", limit: limit, problem: problem)
    }

    private static func published(since date: Date?) -> RequestPath {
        CataloguePath.list(["articles", "published"], since: date)
    }
}
