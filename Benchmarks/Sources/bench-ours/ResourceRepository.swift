import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// The server's files.
final class ResourceRepository: AbstractRepository, @unchecked Sendable {
    /// A file with the header that came with it.
    func response(_ path: RequestPath) async -> Result<HTTPResponse, RepositoryError> {
        await performRaw(.get(path))
    }

    /// A file's bytes.
    func bytes(_ path: RequestPath) async -> Result<Data, RepositoryError> {
        await performRaw(.get(path)).map(\.body)
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
struct MemoryExecutor: RequestExecutor {
    let answer: HTTPResponse

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        answer
    }
}
