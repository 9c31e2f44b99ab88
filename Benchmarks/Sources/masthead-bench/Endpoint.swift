/// Where a scenario's requests go.
enum Endpoint: Sendable {
    /// nginx, HTTP/1.1.
    case plain
    /// nginx, HTTP/1.1 over TLS.
    case secure
    /// nginx, HTTP/1.1 over TLS, one request for each connection, and no TLS session is resumed.
    case handshake
    /// nginx, HTTP/2 over TLS.
    case http2
    /// nghttpd, HTTP/2 over TLS, a thousand streams on a connection.
    case streams

    /// Whether a client has to trust a certificate.
    var isSecure: Bool { self != .plain }

    /// The protocol that the server must have seen; `nil` if it doesn't say, since it speaks but one.
    var version: String? {
        switch self {
        case .plain, .secure, .handshake: "HTTP/1.1"
        case .http2: "HTTP/2.0"
        case .streams: nil
        }
    }
}
