import FoundationEssentials

extension NetworkingConfiguration {
    /// What a request says it comes from, unless it says so itself.
    static let userAgent = "Masthead/0.1.0"

    private static let lastHeaders: HTTPHeaders = ["Accept": "application/json", "User-Agent": userAgent]

    /// Turns a request of an app's into one for the wire: pure, and refused with a typed error where it is impossible.
    ///
    /// A header field of the call replaces those of its name in `repositoryHeaders`, and these the configuration's;
    /// `Accept` and `User-Agent` are added where nobody gave one, `Content-Type` where there is a body. The base is checked
    /// on the way; whoever makes many requests checks the rest once with ``validate()``.
    package func makeHTTPRequest<Value>(
        from request: Request<Value>,
        repositoryHeaders: HTTPHeaders = [:]
    ) throws(RepositoryError) -> HTTPRequest {
        try makeHTTPRequest(from: request, below: BaseURL(self), repositoryHeaders: repositoryHeaders)
    }

    /// The same below a base, and with the fields of a request that has no own ones, both made of this configuration before.
    func makeHTTPRequest<Value>(
        from request: Request<Value>,
        below base: BaseURL,
        repositoryHeaders: HTTPHeaders,
        plainHeaders: HTTPHeaders? = nil,
        delivery: BodyDelivery = .whole
    ) throws(RepositoryError) -> HTTPRequest {
        guard request.method.isToken else {
            throw .invalidRequest(reason: "the method is no token: give a word such as GET")
        }
        if let timeout = request.timeout, timeout <= .zero {
            throw .invalidRequest(reason: "the request's timeout is not positive")
        }
        // Without any they go anywhere.
        let goesIntoURL = request.parameters.isEmpty || encodeAsURL.contains(request.method)
        var query = request.query
        if goesIntoURL { query.append(contentsOf: request.parameters) }
        let url = if let url = request.url { url } else { try base.url(for: request.path, query: query) }
        let body = goesIntoURL ? request.body : try joinedBody(of: request)
        let headers =
            if let plainHeaders, request.headers.isEmpty, body == nil {
                plainHeaders
            } else {
                try headers(of: request.headers, repositoryHeaders, body: body)
            }
        return HTTPRequest(
            method: request.method,
            url: url,
            headers: headers,
            body: try body?.body(for: self),
            timeout: request.timeout,
            priority: request.priority,
            delivery: delivery
        )
    }

    private func joinedBody<Value>(of request: Request<Value>) throws(RepositoryError) -> RequestBody {
        guard request.body == nil else {
            throw .invalidRequest(reason: "the request has parameters and a body: put the parameters into its query")
        }
        return .json(parameters: request.parameters)
    }

    /// The fields of a request, its own first; those of a request that has none of its own are always the same.
    func headers(
        of request: HTTPHeaders,
        _ repositoryHeaders: HTTPHeaders,
        body: RequestBody?
    ) throws(RepositoryError) -> HTTPHeaders {
        var headers = request
        headers.merge(defaults: repositoryHeaders)
        headers.merge(defaults: defaultHeaders)
        if let type = body?.contentType { headers.merge(defaults: ["Content-Type": type]) }
        if let coding = body?.contentEncoding {
            headers.merge(defaults: ["Content-Encoding": coding])
            guard headers.values(of: "Content-Encoding").map({ $0.lowercased() }) == [coding] else {
                throw .invalidRequest(reason: "the body is in \(coding): leave the request's Content-Encoding out")
            }
        }
        headers.merge(defaults: Self.lastHeaders)
        try headers.validate()
        try headers.checkFraming()
        return headers
    }
}
