public import FoundationEssentials
public import MastheadNetworking

/// Reads a publisher's issues.
///
/// ```swift
/// let issues = IssueRepository(configuration: .production)
/// let newest = try await issues.publishedIssues(limit: 1).get().first
///
/// for try await issue in issues.allPublished(since: lastSync) { store(issue) }
/// ```
///
/// Every method is safe to call from any task; see ``VolumeRepository`` for the client key and for pages.
///
/// ## Topics
///
/// ### One issue
/// - ``issue(_:)``
/// - ``issue(_:since:)``
/// - ``issue(sku:)``
///
/// ### Many issues
/// - ``allPublished(limit:since:)``
/// - ``allPreviews(limit:since:)``
/// - ``issues()``
/// - ``publishedIssues(page:limit:since:)``
/// - ``previewIssues(page:limit:since:)``
/// - ``fullIssues(_:)``
///
/// ### Errors
/// - ``IssueError``
public final class IssueRepository: CatalogueRepository, @unchecked Sendable {
    /// Reads one issue.
    ///
    /// - Returns: The issue, or ``IssueError`` when the server has none of that id.
    public func issue(_ id: Issue.ID) async -> Result<Issue, RepositoryError> {
        await element(id)
    }

    /// Reads one issue with only those of its articles that changed at a date or after it.
    ///
    /// Its ``Issue/articles`` is therefore no list of what the issue holds: nothing may be taken for removed because it
    /// is not there.
    ///
    /// - Returns: The issue; `nil` when the server says that nothing changed by an answer without one; ``IssueError``
    ///   when it knows no such issue.
    public func issue(_ id: Issue.ID, since date: Date) async -> Result<Issue?, RepositoryError> {
        if let problem = CataloguePath.problem(with: id) { return .failure(problem) }
        return await firstElement(CataloguePath.list(["issues", id.rawValue], since: date))
    }

    /// Reads the issue that a store sells under a name, with the volumes it belongs to.
    ///
    /// - Returns: The issue, or ``IssueError`` when the server has none of that SKU.
    public func issue(sku: SKU) async -> Result<Issue, RepositoryError> {
        await element(sku)
    }

    /// Reads as many issues as the server gives when it is not told how many, drafts among them where it shows any.
    public func issues() async -> Result<[Issue], RepositoryError> {
        await list("issues")
    }

    /// Reads one page of the issues that readers may see.
    ///
    /// - Parameters:
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many issues a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it; what changed at that very moment comes again.
    /// - Returns: The issues of that page, empty past the last; some servers tell nothing but their ids, see
    ///   ``fullIssues(_:)``.
    public func publishedIssues(
        page: Int = 1,
        limit: Int = 20,
        since date: Date? = nil
    ) async -> Result<[Issue], RepositoryError> {
        await list(Self.published(since: date), query: Parameters(page: page, limit: limit))
    }

    /// Reads one page of the issues that readers may not see yet; parameters as for published ones.
    ///
    /// The server gives them to a repository that shows previews.
    public func previewIssues(
        page: Int = 1,
        limit: Int = 20,
        since date: Date? = nil
    ) async -> Result<[Issue], RepositoryError> {
        await list(Self.previews(since: date), query: Parameters(page: page, limit: limit))
    }

    /// Reads all issues that readers may see, page by page, as they are asked for.
    ///
    /// - Parameters:
    ///   - limit: How many issues a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it; what changed at that very moment comes again.
    /// - Returns: The issues, and ``CatalogueSequence/pages`` of them.
    public func allPublished(limit: Int = 20, since date: Date? = nil) -> CatalogueSequence<Issue> {
        CatalogueSequence(access, path: Self.published(since: date), limit: limit)
    }

    /// Reads all issues that readers may not see yet, page by page, as they are asked for; parameters as for published
    /// ones.
    public func allPreviews(limit: Int = 20, since date: Date? = nil) -> CatalogueSequence<Issue> {
        CatalogueSequence(access, path: Self.previews(since: date), limit: limit)
    }

    /// Reads those issues of a list of which nothing but the id is known; the others are taken as they are.
    ///
    /// Each takes a request, a few at a time: the API has no batch of issues. The first failure ends the whole.
    ///
    /// - Returns: The issues in the order of the list.
    public func fullIssues(_ issues: [Issue]) async -> Result<[Issue], RepositoryError> {
        await Calls.all(issues) { $0.isStub ? await self.element($0.id) : .success($0) }
    }

    private static func published(since date: Date?) -> RequestPath {
        CataloguePath.list(["issues", "published"], since: date)
    }

    private static func previews(since date: Date?) -> RequestPath {
        CataloguePath.list(["issues", "preview"], since: date)
    }
}
