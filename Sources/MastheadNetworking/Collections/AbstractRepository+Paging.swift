import FoundationEssentials

extension AbstractRepository {
    /// A list that the server gives in pages, each page an array.
    ///
    /// ```swift
    /// func comments(on article: String) -> PagedSequence<Comment> {
    ///     paged(.get("articles/\(article)/comments"), by: .link)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: Asks for the first page.
    ///   - pagination: How the server says where the next one is.
    /// - Returns: The list; nothing is asked before its first element is wanted.
    public final func paged<Element: Decodable & Sendable>(
        _ request: Request<[Element]>,
        by pagination: Pagination<[Element]>
    ) -> PagedSequence<Element> {
        paged(request, by: pagination, elements: { $0 })
    }

    /// A list that the server gives in pages, each page with its elements somewhere in it.
    ///
    /// ```swift
    /// func feed() -> PagedSequence<Comment> {
    ///     paged(.get("feed"), by: .cursor("after", \.next), elements: \Feed.comments)
    /// }
    /// ```
    ///
    /// Each page is a call as any other. The time that a request has is each page's.
    ///
    /// - Parameters:
    ///   - request: Asks for the first page.
    ///   - pagination: How the server says where the next one is.
    ///   - elements: Where the elements are in a page.
    /// - Returns: The list; nothing is asked before its first element is wanted.
    public final func paged<Body: Decodable & Sendable, Element: Sendable>(
        _ request: Request<Body>,
        by pagination: Pagination<Body>,
        elements: @escaping @Sendable (Body) -> [Element]
    ) -> PagedSequence<Element> {
        PagedSequence { pin in
            var reader = PageReader(self, request, by: pagination, elements)
            return PageWalk(in: pin) { () async throws(RepositoryError) in try await reader.next(in: pin) }
        }
    }

    /// Reads one page.
    fileprivate final func page<Body: Decodable & Sendable>(
        _ request: Request<Body>
    ) async -> Result<(body: Body, response: HTTPResponse), RepositoryError> {
        await pipeline.run(request, polls: false, model: Body.self, needsBody: true, prepare: prepare) {
            (response) throws(RepositoryError) in
            (try response.model(Body.self), response)
        }
    }
}

/// Reads one page of a repository's after the other.
private struct PageReader<Body: Decodable & Sendable, Element: Sendable> {
    private let repository: AbstractRepository
    private let first: Request<Body>
    private let pagination: Pagination<Body>
    private let elements: @Sendable (Body) -> [Element]

    /// What to ask next, `nil` after the last page; or why it cannot be asked, which is told after what was read.
    private var upcoming: Result<Request<Body>?, RepositoryError>
    private var trail = PageTrail()
    private var number = 0
    private var total = 0

    init(
        _ repository: AbstractRepository,
        _ first: Request<Body>,
        by pagination: Pagination<Body>,
        _ elements: @escaping @Sendable (Body) -> [Element]
    ) {
        self.repository = repository
        self.first = first
        self.pagination = pagination
        self.elements = elements
        upcoming = .success(first.setting(pagination.start))
    }

    /// The next page; `nil` after the last.
    mutating func next(in pin: SessionPin) async throws(RepositoryError) -> [Element]? {
        guard var request = try upcoming.get() else { return nil }
        if let session = repository.pipeline.session, request.usesSession {
            request.onlySession = try pin.number(of: session)
        }
        if let place = try place(of: request) { try trail.visit(place) }
        let (body, response) = try await repository.page(request).get()
        let page = elements(body)
        let finding = try trail.take(page, of: response.body)
        if pagination.isCounting, case .repeated(let byID) = finding {
            guard byID else {
                throw .invalidResponse(reason: "the server gives the same page under another number")
            }
            upcoming = .success(nil)
            return nil
        }
        number += 1
        total += page.count
        let read = ReadPage(body: body, headers: response.headers, number: number, count: page.count, total: total)
        upcoming = Result { () throws(RepositoryError) in
            try self.request(for: pagination.next(read), after: response.url)
        }
        return page
    }

    private func request(for next: NextPage<Body>, after page: URL) throws(RepositoryError) -> Request<Body>? {
        switch next {
        case .last: return nil
        case .query(let parameters): return first.setting(parameters)
        case .request(let request): return request
        case .url(let text, let ignoringOrigin):
            var request = first
            request.url = try repository.configuration.url(ofPage: text, after: page, ignoringOrigin: ignoringOrigin)
            return request
        }
    }

    /// What tells a page from others before it is read; `nil` if that is in its body.
    private func place(of request: Request<Body>) throws(RepositoryError) -> [String]? {
        guard request.body == nil, !request.parametersMakeBody(repository.configuration) else { return nil }
        let url: URL
        if let known = request.url {
            url = known
        } else {
            var query = request.query
            query.append(contentsOf: request.parameters)
            url = try repository.configuration.url(for: request.path, query: query)
        }
        return [request.method.rawValue, url.absoluteString] + request.headers.fields.flatMap { [$0.name, $0.value] }
    }
}

extension Request {
    /// The same request with these parameters in the query, in the place of those of the same names.
    fileprivate func setting(_ parameters: Parameters) -> Request {
        guard !parameters.isEmpty else { return self }
        var request = self
        let names = Set(parameters.elements.map(\.name))
        request.query.elements.removeAll { names.contains($0.name) }
        request.parameters.elements.removeAll { names.contains($0.name) }
        request.query.append(contentsOf: parameters)
        return request
    }

    fileprivate func parametersMakeBody(_ configuration: NetworkingConfiguration) -> Bool {
        !parameters.isEmpty && !configuration.encodeAsURL.contains(method)
    }
}

extension NetworkingConfiguration {
    /// The URL that a page gives for the next one.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` unless it is at the configured origin, or that is to be ignored,
    ///   and below the configured path.
    fileprivate func url(ofPage text: String, after page: URL, ignoringOrigin: Bool) throws(RepositoryError) -> URL {
        // Before anything is taken apart: what a URL cannot hold is repaired by nobody.
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw .invalidURL(reason: "the next page's URL holds a space, a control character or a backslash")
        }
        let target = URLReference(text).resolved(against: URLReference(page.absoluteString))
        if !ignoringOrigin {
            let home = try Origin(URLReference(BaseURL(self).origin))
            guard try Origin(target) == home else {
                throw .invalidURL(reason: "the next page is at another scheme, host or port than the configured one")
            }
        }
        return try url(pinnedToOrigin: target.text)
    }
}
