import FoundationEssentials
import MastheadLock
public import MastheadNetworking

/// Answers a repository's requests without a network: from a folder, from a table, or by a closure.
///
/// ```swift
/// let stub = try StubExecutor(routes: ["GET /volumes/vol-7": .json(#"{"id": "vol-7", "title": "Orbit"}"#)])
/// let volumes = VolumeRepository(configuration: .production, executor: stub)
///
/// let volume = try await volumes.volume("vol-7").get()
///
/// #expect(volume.title == "Orbit")
/// #expect(stub.requests[0].headers["Accept"] == "application/json")
/// ```
///
/// An answer is looked for by the request's method and its path below the configuration's base, so that it serves every
/// environment; of a host that is not the configuration's the path begins with the host. One with the request's query
/// comes before one without, which stands for every query. What is not found ends the call with a ``MissingAnswer``.
public final class StubExecutor: RequestExecutor {
    private typealias Responder = @Sendable (HTTPRequest, AnswerName) async throws(RepositoryError) -> Answer

    private let respond: Responder
    private let record = Lock<[HTTPRequest]>([])
    private let arrivals = Milestones()

    /// Makes an executor that answers with what a closure says.
    ///
    /// ```swift
    /// let stub = StubExecutor { request in
    ///     request.method == .get ? .json("[]") : .failure(.noNetworkConnection)
    /// }
    /// ```
    ///
    /// - Parameter respond: Gives the answer; called for several requests at once.
    public init(_ respond: @escaping @Sendable (HTTPRequest) async throws(RepositoryError) -> Answer) {
        self.respond = { (request, _) async throws(RepositoryError) in try await respond(request) }
    }

    /// Makes an executor that answers from a table, any number of times.
    ///
    /// - Parameter routes: An answer for each method and target, written `GET /volumes?page=2`.
    /// - Throws: ``ScriptedServerError/invalidRoute(_:)`` for a key that is no route, and for one that is another's too.
    public init(routes: [String: Answer]) throws(ScriptedServerError) {
        var table: [String: Answer] = [:]
        for (route, answer) in routes {
            guard let key = AnswerName.route(route), table[key] == nil else {
                throw .invalidRoute(route)
            }
            table[key] = answer
        }
        respond = { [table] (_, name) async throws(RepositoryError) in
            guard let answer = name.routes.lazy.compactMap({ table[$0] }).first else {
                throw .customError(MissingAnswer(request: name.request, names: name.names, folder: nil))
            }
            return answer
        }
    }

    /// Makes an executor that answers with the files of a folder, each named after its request.
    ///
    /// `GET /volumes/vol-7?page=2` is answered by `GET-volumes-vol-7_page=2`, else by `GET-volumes-vol-7`: the method and
    /// the path with `-` for `/`, then `_` and the query with `_` for `&`, both percent-encoded as they are sent, and
    /// `[redacted]` where a secret stands in them. A name of more than 200 bytes is cut to 180 of them, `-` and the first
    /// 16 digits of its SHA-256. The second request of a name takes `GET-volumes-vol-7~2` if there is one, and so on; the
    /// last one stands for all later ones.
    ///
    /// The extension says what the file is: `.json`, `.txt`, `.html`, `.xml` and any other is the body of a 200, with
    /// the content type that goes with it; `.http` is a whole answer, with status line, header fields, an empty line and
    /// the body. ``RecordingExecutor`` writes such files.
    ///
    /// - Parameter folder: The folder's path.
    /// - Throws: What kept the folder from being listed.
    public init(folder: String) throws {
        let answers = try AnswerFolder(folder)
        respond = { (_, name) async throws(RepositoryError) in try answers.answer(name) }
    }

    /// The requests so far, in the order in which they came; at most the first 100,000 are kept.
    public var requests: [HTTPRequest] { record.withLock { $0 } }

    /// Waits for a request.
    ///
    /// - Parameter index: Its number, counted from 0.
    /// - Returns: The request as it would have been sent.
    /// - Throws: `CancellationError` when the task is cancelled. Give the test a time limit: a request that is never made
    ///   is waited for without end.
    public func request(_ index: Int) async throws -> HTTPRequest {
        guard try await arrivals.reach(index + 1), let request = requests.dropFirst(index).first else {
            throw CancellationError()
        }
        return request
    }

    /// Answers one request, as a `RequestExecutor` does.
    public func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        record.withLock { if $0.count < 100_000 { $0.append(request) } }
        arrivals.change(by: 1)
        let answer = try await respond(request, AnswerName(request, configuration))
        guard !Task.isCancelled else { throw .cancelled }
        switch answer.content {
        case .failure(let error): throw error
        case .response(let status, let headers, let body):
            guard body.count <= configuration.maximumBodySize else {
                throw .bodyTooLarge(limit: configuration.maximumBodySize)
            }
            return HTTPResponse(status: status, headers: headers, body: body, url: request.url)
        }
    }
}
