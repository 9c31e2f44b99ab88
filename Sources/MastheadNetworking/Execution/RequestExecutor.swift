/// Turns one request into one answer: the outer edge of the layer.
///
/// The default sends it with libcurl. A test gives a repository one that answers from memory (`StubExecutor` of
/// `MastheadTesting`), so that it runs without a network. Redirects, polling, errors and decoding stay the
/// repository's: an executor makes exactly one exchange and follows nothing. It keeps to ``HTTPRequest/timeout``, in
/// which a repository hands it what is left of the call's deadline.
///
/// ```swift
/// struct Offline: RequestExecutor {
///     func execute(_ request: HTTPRequest, _ configuration: NetworkingConfiguration) async throws(RepositoryError)
///         -> HTTPResponse
///     {
///         throw .noNetworkConnection
///     }
/// }
/// ```
public protocol RequestExecutor: Sendable {
    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - request: The request; its URL is absolute and `http` or `https`.
    ///   - configuration: Time-outs, the limit of the body, certificate authorities, pins and the clock.
    /// - Returns: The answer, whatever its status.
    /// - Throws: What kept an answer from coming. A cancelled task throws ``RepositoryError/cancelled``.
    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse
}
