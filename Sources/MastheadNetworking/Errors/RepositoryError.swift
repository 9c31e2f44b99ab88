/// Why a call of a repository failed: each case is a different thing to do.
///
/// ```swift
/// switch await volumes.volume("orbit") {
/// case .success(let volume): show(volume)
/// case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
/// case .failure(.noNetworkConnection), .failure(.dns): showOffline()
/// case .failure(let error): report(error)
/// }
/// ```
///
/// No case says a secret: a description names hosts, statuses, sizes and reasons, never a header, a query or a body.
@nonexhaustive
public enum RepositoryError: Error, Sendable {
    /// The path, the query or the redirect target makes no URL that may be asked.
    case invalidURL(reason: String)

    /// The configuration is impossible; nothing was sent. The reason says what to change.
    case invalidConfiguration(reason: String)

    /// The request holds what cannot be sent (a line break in a header, a method that is no token, a body that does not
    /// encode); nothing was sent.
    case invalidRequest(reason: String)

    /// The server refused: any status but 2xx that nothing more special stands for, a 401 that is not about a session's
    /// token among them.
    case requestError(ResponseError)

    /// The session's token was refused, or there is no session (any more) for a call that requires one.
    ///
    /// With what the server answered; where it was not asked, and where the answer came for a session that is over, with
    /// nothing but status 401.
    case unauthenticatedSession(ResponseError)

    /// The app's own error for what the server said.
    case customError(any CustomRepositoryError)

    /// The machine has no way to the network.
    case noNetworkConnection

    /// The host's name could not be resolved.
    case dns(host: String)

    /// Nothing listens there, or it refused the connection.
    case refused(host: String)

    /// Its circuit is open, so nothing was sent: see ``CircuitBreaker``. A call may get through after that wait.
    case circuitOpen(host: String, retryAfter: Duration)

    /// No secure connection could be agreed on, or the server's certificate is not trusted.
    case tls(reason: String)

    /// A time-out ran out; see ``TimeoutKind`` for which.
    case timeout(TimeoutKind)

    /// The task was cancelled.
    case cancelled

    /// The connection was lost before the answer was complete in its head.
    ///
    /// Unless the request was never sent, or refused before anybody looked at it (RFC 9113, section 8.7), the server may
    /// have acted on it: whoever sends it again may do the same thing twice.
    case connectionLost(mayHaveBeenProcessed: Bool)

    /// The configured proxy cannot be reached, or did not let the request through.
    case proxy(reason: String)

    /// What came is not HTTP, or breaks its rules.
    case invalidResponse(reason: String)

    /// More redirects than the limit, or a loop.
    case tooManyRedirects(limit: Int)

    /// The body ended early.
    case incompleteBody(received: Int, expected: Int?)

    /// The body's content coding is broken.
    case corruptBody(reason: String)

    /// The body is bigger than ``NetworkingConfiguration/maximumBodySize``.
    case bodyTooLarge(limit: Int)

    /// There is no body where one was needed.
    case emptyBody(status: Int)

    /// The body is no JSON.
    case jsonError(DecodingFailure)

    /// The body is JSON, but not of the model's shape.
    case decodeError(DecodingFailure)

    /// A redirect, or a token that was renewed, asked for the body again, and it can be read only once.
    case bodyNotReplayable

    /// A file could not be read or written, or the body's own sequence failed: the disk is full, for example.
    case fileAccess(reason: String)

    /// A local file is sealed with another key; it was left as it is.
    case wrongKey

    /// Nothing that may be served is kept, and the policy asks nobody; see ``CachePolicy``.
    case notCached

    /// The server was still not done after the last poll.
    case pollingLimit(attempts: Int)

    /// No certificate of the server is pinned; nothing was sent. See <doc:Pinning>.
    case pinMismatch(PinMismatch)
}
