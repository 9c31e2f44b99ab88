public import FoundationEssentials
import MastheadNetworking

extension Library {
    /// Adds the volumes of the catalogue with all that they hold, or brings them up to date.
    ///
    /// Where nothing has changed that is three requests: for the volumes, and for the issues and the articles that changed
    /// since the last time. Where all are asked for, volumes that are here and that the publisher no longer has go, as with
    /// ``refresh()``.
    ///
    /// - Parameters:
    ///   - page: One page, the first being 1; `nil` for all.
    ///   - limit: How many volumes a page has; 0 or less means 20.
    /// - Returns: What was done.
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func addAllVolumes(page: Int? = nil, limit: Int = 20) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            var volumes: [Volume] = []
            let list = sync.catalogue.volumes.all(limit: limit)
            try await sync.walk(list, page: page) { (_, found) async throws(LibraryError) in
                volumes += found
            }
            try await sync.bring(volumes: volumes, areAll: page == nil)
        }
    }

    /// Adds the issues of a list with their articles, or brings them up to date.
    ///
    /// - Parameters:
    ///   - list: Which list.
    ///   - page: One page, the first being 1; `nil` for all.
    ///   - limit: How many issues a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it.
    ///   - withArticles: Whether their articles are to come too, or only what the issues say of themselves.
    /// - Returns: What was done.
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func addAllIssues(
        _ list: CatalogueList = .published,
        page: Int? = nil,
        limit: Int = 20,
        since date: Date? = nil,
        withArticles: Bool = true
    ) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let issues = sync.catalogue.issues
            let pages =
                switch list {
                case .published: issues.allPublished(limit: limit, since: date)
                case .previews: issues.allPreviews(limit: limit, since: date)
                }
            try await sync.walk(pages, page: page) { (sync, found) async throws(LibraryError) in
                try await sync.take(issues: found, withArticles ? .whole : .itself)
            }
        }
    }

    /// Adds the articles of a list by themselves, or brings them up to date.
    ///
    /// They stay when the issues go that hold them.
    ///
    /// - Parameters:
    ///   - list: Which list; `nil` for that of all articles, whether readers may see them or not.
    ///   - page: One page, the first being 1; `nil` for all.
    ///   - limit: How many articles a page has; 0 or less means 20.
    ///   - date: Leaves out what last changed before it; the list of previews has no such form, and is read whole.
    /// - Returns: What was done.
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func addAllArticles(
        _ list: CatalogueList? = .published,
        page: Int? = nil,
        limit: Int = 20,
        since date: Date? = nil
    ) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let articles = sync.catalogue.articles
            let pages =
                switch list {
                case nil: articles.all(limit: limit, since: date)
                case .published?: articles.allPublished(limit: limit, since: date)
                case .previews?: articles.allPreviews(limit: limit)
                }
            try await sync.walk(pages, page: page) { (sync, found) async throws(LibraryError) in
                try await sync.take(articles: found, standAlone: true)
            }
        }
    }

    /// Adds the articles by themselves of which a property has a value, or brings them up to date.
    ///
    /// - Parameters:
    ///   - property: The property, as in ``ArticleRepository/articles(where:equals:page:limit:)``.
    ///   - value: Its value; not empty.
    ///   - page: One page, the first being 1; `nil` for all.
    ///   - limit: How many articles a page has; 0 or less means 20.
    /// - Returns: What was done.
    /// - Throws: As ``add(volume:)``.
    @concurrent @discardableResult
    public func addAllArticles(
        where property: String,
        equals value: String,
        page: Int? = nil,
        limit: Int = 20
    ) async throws(LibraryError) -> SyncReport {
        try await sync { (sync) async throws(LibraryError) in
            let list = sync.catalogue.articles.all(where: property, equals: value, limit: limit)
            try await sync.walk(list, page: page) { (sync, found) async throws(LibraryError) in
                try await sync.take(articles: found, standAlone: true)
            }
        }
    }
}
