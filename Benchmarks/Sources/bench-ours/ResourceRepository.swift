import BenchmarkSide
import FoundationEssentials
import MastheadNetworking
import Synchronization

/// The server's files.
final class ResourceRepository: AbstractRepository, @unchecked Sendable {
    /// A file, as it came.
    func response(_ path: RequestPath) async -> Result<HTTPResponse, RepositoryError> {
        await performRaw(.get(path))
    }

    /// Brings a file's bytes into a file here.
    func file(_ path: RequestPath, to file: String) async -> Result<DownloadedFile, RepositoryError> {
        await download(.get(path), to: file)
    }

    /// Sends a form.
    func send(_ form: MultipartForm, to path: RequestPath) async -> Result<HTTPResponse, RepositoryError> {
        await performRaw(.post(path, body: .multipart(form)))
    }

    /// The articles of a list.
    func articles(_ path: RequestPath) async -> Result<ArticleList, RepositoryError> {
        await perform(.get(path))
    }
}

/// Answers every request from memory.
final class MemoryExecutor: RequestExecutor {
    private let answer: HTTPResponse
    private let first = Mutex<HTTPRequest?>(nil)

    init(answer: HTTPResponse) {
        self.answer = answer
    }

    /// The first request that it was given.
    var firstRequest: HTTPRequest? { first.withLock { $0 } }

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        first.withLock { if $0 == nil { $0 = request } }
        return answer
    }
}
