import MastheadNetworking
import Testing

/// httpbin's endpoints as an app would write them down.
final class HTTPBinRepository: AbstractRepository, @unchecked Sendable {
    /// A repository of the suite's httpbin.
    static func current(
        headers: HTTPHeaders = [:],
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) throws -> HTTPBinRepository {
        let server = try #require(HTTPBin.current)
        return HTTPBinRepository(configuration: server.configuration(configure), defaultHeaders: headers)
    }

    func echo(_ request: Request<Echo>) async -> Result<Echo, RepositoryError> {
        await perform(request)
    }

    func value<Value: Decodable & Sendable>(
        _ path: RequestPath,
        query: Parameters = [:],
        headers: HTTPHeaders = [:]
    ) async -> Result<Value, RepositoryError> {
        await perform(.get(path, query: query, headers: headers))
    }

    func raw(_ request: Request<HTTPResponse>) async -> Result<HTTPResponse, RepositoryError> {
        await performRaw(request)
    }

    func done(_ request: Request<Void>) async -> Result<Void, RepositoryError> {
        await perform(request)
    }
}

/// What httpbin saw of a request.
struct Echo: Decodable, Sendable {
    let method: String?
    let url: String
    let args: JSONValue
    let headers: [String: String]
    let data: String?
    let form: JSONValue?
    let json: JSONValue?
}
