/// The base of every repository: subclass it, one method for each call of the server's.
///
/// ```swift
/// final class VolumeRepository: AbstractRepository, @unchecked Sendable {
///     func volume(_ id: Volume.ID) async -> Result<Volume, RepositoryError> {
///         await perform(.get("volumes/\(id)")).mapCustomError([404: VolumeError.unknownVolume])
///     }
/// }
/// ```
///
/// A subclass restates `@unchecked Sendable` and has only `let`s of Sendable types. A call may be made from any task
/// or actor: what it does (encoding, sending, decoding) runs off the caller's actor. A cancelled task gets
/// ``RepositoryError/cancelled``, once.
///
/// A status of 2xx is success, and so is 304, which stands for "what you have is still right" and brings no body,
/// whether or not the call was conditional. Any other status ends in ``RepositoryError/requestError(_:)``, after
/// redirects were followed, and a 401 to the token of the repository's session in
/// ``RepositoryError/unauthenticatedSession(_:)``. See <doc:KeepingASession>.
open class AbstractRepository: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: only `let`s of Sendable types, here and in every subclass.

    /// The environment the calls go to.
    public final var configuration: NetworkingConfiguration { pipeline.configuration }

    let pipeline: Pipeline

    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - configuration: The environment.
    ///   - session: Whose token goes with the calls; every one that is not ``Request/withoutSession()`` requires it. `nil`
    ///     for calls that need none.
    ///   - cache: Where answers are kept: each user's apart. `nil` keeps none.
    ///   - cachePolicy: What is wanted of the cache for each GET that says nothing else; see ``Request/cached(_:tags:)``.
    ///   - defaultHeaders: Header fields of every call of this repository; those of a call win over them.
    ///   - executor: What makes the exchanges.
    public init(
        configuration: NetworkingConfiguration,
        session: (any RepositorySession)? = nil,
        cache: ModelCache? = nil,
        cachePolicy: CachePolicy = .standard,
        defaultHeaders: HTTPHeaders = [:],
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        pipeline = Pipeline(
            configuration: configuration,
            session: session,
            cache: cache,
            cachePolicy: cachePolicy,
            repositoryHeaders: defaultHeaders,
            executor: executor
        )
    }

    /// Changes a request before it is sent: the one point to override.
    ///
    /// It runs before the interceptor, again for each poll, and not again for a redirect. Throwing ends the call with
    /// that error. It may run on any thread, and must not block it.
    open func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {}

    /// Makes the call and decodes the answer.
    ///
    /// The request's type says what the answer decodes to. An optional type takes an empty body and JSON's `null` for
    /// `nil`; any other ends in ``RepositoryError/emptyBody(status:)`` if there is no body.
    public final func perform<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) async -> Result<Value, RepositoryError> {
        await pipeline.run(request, polls: false, model: Value.self, prepare: prepare) {
            (response) throws(RepositoryError) in
            try response.model(Value.self)
        }
    }

    /// Makes the call and takes any 2xx for success.
    ///
    /// The body is read whole, and not looked at.
    public final func perform(_ request: Request<Void>) async -> Result<Void, RepositoryError> {
        await pipeline.run(request, polls: false, prepare: prepare) { (_) throws(RepositoryError) in }
    }

    /// Makes the call and hands over the answer as it came.
    ///
    /// Statuses are judged as for every other call: an answer that is a refusal is an error. What the answer says can
    /// be decoded with ``HTTPResponse/decode(_:)``.
    public final func performRaw(_ request: Request<HTTPResponse>) async -> Result<HTTPResponse, RepositoryError> {
        await pipeline.run(request, polls: false, needsBody: true, prepare: prepare) {
            (response) throws(RepositoryError) in response
        }
    }

    /// Makes the call, and again while the server answers 202; then decodes the answer.
    ///
    /// Between two requests it waits as long as the answer's `Retry-After` says, or
    /// ``NetworkingConfiguration/secondsBetweenPolls``, and five minutes at most. It sends at most one request more than
    /// ``NetworkingConfiguration/maximumPollingRetries``, then ends in ``RepositoryError/pollingLimit(attempts:)``; and
    /// it ends in ``RepositoryError/timeout(_:)`` at once when a wait would pass the deadline of the whole call.
    public final func performPolling<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) async -> Result<Value, RepositoryError> {
        await pipeline.run(request, polls: true, model: Value.self, prepare: prepare) {
            (response) throws(RepositoryError) in
            try response.model(Value.self)
        }
    }

    /// Makes the call, and again while the server answers 202; then takes any other 2xx for success.
    public final func performPolling(_ request: Request<Void>) async -> Result<Void, RepositoryError> {
        await pipeline.run(request, polls: true, prepare: prepare) { (_) throws(RepositoryError) in }
    }

    /// Makes the call, and again while the server answers 202; then hands over the answer as it came.
    public final func performPolling(
        _ request: Request<HTTPResponse>
    ) async -> Result<HTTPResponse, RepositoryError> {
        await pipeline.run(request, polls: true, needsBody: true, prepare: prepare) {
            (response) throws(RepositoryError) in response
        }
    }
}
