/// The base of every repository: subclass it, one method for each call of the server's.
///
/// ```swift
/// final class VolumeRepository: AbstractRepository, @unchecked Sendable {
///     func volume(_ id: Volume.ID) async -> Result<Volume, RepositoryError> {
///         await perform(.get("volumes/\(id)")).mapCustomError([404: VolumeError.unknownVolume])
///     }
/// }
/// ```
open class AbstractRepository: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: only `let`s of Sendable types, here and in every subclass.

    /// The environment the calls go to.
    public let configuration: NetworkingConfiguration

    private let defaultHeaders: HTTPHeaders
    private let executor: any RequestExecutor

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - configuration: The environment.
    ///   - defaultHeaders: Header fields of every call of this repository; those of a call win over them.
    ///   - executor: What makes the exchanges.
    public init(
        configuration: NetworkingConfiguration,
        defaultHeaders: HTTPHeaders = [:],
        executor: any RequestExecutor
    ) {
        self.configuration = configuration
        self.defaultHeaders = defaultHeaders
        self.executor = executor
    }

    /// Changes a request before it is sent: the one point to override.
    open func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {}

    /// Makes the call and decodes the answer.
    public final func perform<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) async -> Result<Value, RepositoryError> {
        .failure(.cancelled)
    }

    /// Makes the call and takes any 2xx for success.
    public final func perform(_ request: Request<Void>) async -> Result<Void, RepositoryError> {
        .failure(.cancelled)
    }

    /// Makes the call and hands over the answer as it came.
    public final func performRaw(_ request: Request<HTTPResponse>) async -> Result<HTTPResponse, RepositoryError> {
        .failure(.cancelled)
    }

    /// Makes the call, and again while the server answers 202; then decodes the answer.
    public final func performPolling<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) async -> Result<Value, RepositoryError> {
        .failure(.cancelled)
    }
}
