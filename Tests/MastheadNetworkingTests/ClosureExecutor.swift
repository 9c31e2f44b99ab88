import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// Answers each request by a closure, and keeps what it was asked.
final class ClosureExecutor: RequestExecutor {
    typealias Answer = @Sendable (HTTPRequest) async throws(RepositoryError) -> HTTPResponse

    private let answer: Answer
    private let log = Lock<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// What was asked, in order.
    var requests: [HTTPRequest] { log.withLock { $0 } }

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension ClosureExecutor {
    /// Gives the answers in order, then the last one again and again.
    convenience init(answers: [HTTPResponse]) {
        let next = Lock(0)
        self.init { _ in
            answers[
                next.withLock { place in
                    defer { place = min(place + 1, answers.count - 1) }
                    return place
                }
            ]
        }
    }
}

extension HTTPResponse {
    /// An answer for tests; its URL is replaced by the repository.
    static func answer(_ status: Int, _ headers: HTTPHeaders = [:], body: String = "") -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: headers,
            body: Data(body.utf8),
            url: URL(filePath: "/nowhere")
        )
    }
}

extension NetworkingConfiguration {
    /// An environment for tests without a network.
    static func test(_ configure: (inout NetworkingConfiguration) -> Void = { _ in }) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2", configure)
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
