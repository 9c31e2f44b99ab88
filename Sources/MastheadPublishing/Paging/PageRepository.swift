import FoundationEssentials
import MastheadNetworking

/// Reads the pages of a list: by their number, or at a URL that the server gave.
final class PageRepository: AbstractRepository, @unchecked Sendable {
    private let access: CatalogueAccess
    private let url: URL?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - url: Where to read instead of the request's path; it must lie where the client key may go.
    ///   - access: How to ask.
    init(at url: URL? = nil, _ access: CatalogueAccess) {
        self.access = access
        self.url = url
        super.init(
            configuration: access.configuration,
            session: access.session,
            cache: access.cache,
            cachePolicy: access.cachePolicy,
            executor: access.executor
        )
    }

    /// Reads a page with its envelope, in the session that the first one was read in or not at all.
    ///
    /// - Returns: The page, and when the server says that it was made (RFC 9110, section 6.6.1).
    func page<Element: CatalogueElement>(
        _ path: RequestPath,
        query: Parameters = [:],
        in pin: SessionPin
    ) async -> Result<(page: Page<Element>, date: Date?), RepositoryError> {
        var request: Request<Page<Element>> = .get(path, query: query)
        do throws(RepositoryError) {
            if let session = access.session { request.onlySession = try pin.number(of: session) }
        } catch {
            return .failure(error)
        }
        return await perform(request) { headers in
            headers["Date"].flatMap { Date(httpDate: $0, now: .now) }
        }.map { (page: $0.value, date: $0.noted) }
    }

    /// Puts in the URL as the server gave it: only the server knows what its query means.
    override func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        if let url { request.url = url }
        try access.authorize(&request)
    }
}
