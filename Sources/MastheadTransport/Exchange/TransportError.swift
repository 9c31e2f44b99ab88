/// What kept a whole answer from coming.
package enum TransportError: Error, Sendable, Hashable {
    case cancelled
    case invalidURL(String)
    case invalidRequest(String)
    case noNetwork
    case dns(host: String)
    case refused(host: String)
    case tls(String)
    /// The server is not one of those that its host is known by; nothing was sent.
    case pinMismatch(PinFailure)
    case connectTimeout
    case idleTimeout
    case totalTimeout
    case queueTimeout
    /// The connection ended before the head of an answer was whole. Unless the request was never sent, or refused before
    /// it was looked at, the server may have acted on it.
    case connectionLost(mayHaveBeenProcessed: Bool)
    /// The proxy did not let the exchange through.
    case proxy(String)
    /// A file could not be read or written.
    case file(String)
    case invalidResponse(String)
    case incompleteBody(received: Int, expected: Int?)
    case corruptBody(String)
    case bodyTooLarge(limit: Int)
    /// libcurl could not be set up as wanted: the option or call, and its message.
    case setup(String)
}
