public import FoundationEssentials

/// What an app asks of a server: a value, typed by what the answer decodes to.
///
/// ```swift
/// let request: Request<Volume> = .get("volumes/\(id)", query: ["fields": ["title", "issues"]])
/// ```
///
/// Building one does no I/O and cannot fail; what is wrong with it (a `..` segment, a header with a line break) comes
/// back from the repository as a typed error, before anything is sent.
public struct Request<Value>: Sendable {
    /// The method.
    public var method: HTTPMethod

    /// The path below the configuration's base.
    public var path: RequestPath

    /// Parameters for the URL's query, whatever the method.
    public var query: Parameters

    /// Parameters for the query or the body, as the method wants it: see ``NetworkingConfiguration/encodeAsURL``.
    public var parameters: Parameters

    /// Header fields of this call; they win over the repository's and the configuration's.
    public var headers: HTTPHeaders

    /// The body; `nil` sends none, or ``parameters`` as JSON.
    ///
    /// A body beside parameters that do not go into the URL is refused.
    public var body: RequestBody?

    /// How long the whole call may take; `nil` takes ``NetworkingConfiguration/totalTimeout``.
    public var timeout: Duration?

    /// How soon it gets a place when its host's are all taken.
    public var priority: RequestPriority

    /// Whether it needs the repository's session, if that has one: `true` unless ``withoutSession()`` says otherwise.
    public internal(set) var usesSession = true

    /// What is wanted of the cache; `nil` for what the repository says.
    @usableFromInline
    var cachePolicy: CachePolicy?

    /// The tags of what is kept of its answer.
    @usableFromInline
    var cacheTags: Set<String> = []

    /// The number of the only session it may be sent in; `nil` for whichever there is.
    @usableFromInline
    package var onlySession: Int?

    /// The URL to ask instead of that of the path and the query; checked by whoever sets it.
    @usableFromInline
    var url: URL?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the configuration's base.
    ///   - query: Parameters for the URL's query.
    ///   - parameters: Parameters for the query or the body, as the method wants it; not beside a `body`.
    ///   - headers: Header fields of this call.
    ///   - body: The body; `nil` for none.
    ///   - timeout: How long the whole call may take; `nil` for the configuration's.
    ///   - priority: How soon it gets a place when its host's are all taken.
    @inlinable
    public init(
        method: HTTPMethod,
        path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.parameters = parameters
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.priority = priority
    }
}

extension Request {
    /// The same request outside of the repository's session: a login, for example.
    ///
    /// It carries no token and needs none. Its 401 is ``RepositoryError/requestError(_:)``, and its answer belongs to
    /// whoever is logged in when it comes.
    ///
    /// ```swift
    /// await perform(.post("login", body: body).withoutSession()).mapCustomError([401: LoginError.wrongPassword])
    /// ```
    public func withoutSession() -> Request {
        var request = self
        request.usesSession = false
        return request
    }

    /// A GET request.
    @inlinable
    public static func get(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .get,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            timeout: timeout,
            priority: priority
        )
    }

    /// A HEAD request.
    @inlinable
    public static func head(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .head,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            timeout: timeout,
            priority: priority
        )
    }

    /// A DELETE request.
    @inlinable
    public static func delete(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .delete,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            timeout: timeout,
            priority: priority
        )
    }

    /// A POST request.
    @inlinable
    public static func post(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .post,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            body: body,
            timeout: timeout,
            priority: priority
        )
    }

    /// A PUT request.
    @inlinable
    public static func put(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .put,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            body: body,
            timeout: timeout,
            priority: priority
        )
    }

    /// A PATCH request.
    @inlinable
    public static func patch(
        _ path: RequestPath,
        query: Parameters = [:],
        parameters: Parameters = [:],
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        timeout: Duration? = nil,
        priority: RequestPriority = .normal
    ) -> Request {
        Request(
            method: .patch,
            path: path,
            query: query,
            parameters: parameters,
            headers: headers,
            body: body,
            timeout: timeout,
            priority: priority
        )
    }
}
