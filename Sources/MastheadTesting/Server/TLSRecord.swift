import MastheadLock

/// What became of TLS on one connection.
package struct TLSPassage: Sendable, Hashable {
    /// The connection's number, counted from 0.
    package let connection: Int
    /// The protocol that was agreed on, such as `TLSv1.3`.
    package let version: String
    /// The host's name that the client asked for; `nil` if it named none.
    package let serverName: String?
    /// The common name in the certificate that the client showed; `nil` if it showed none.
    package let clientName: String?
    /// Whether both sides agreed; in TLS 1.2 a client may yet take it back at once, by an alert.
    package let isAgreed: Bool
    /// Whether the client went on with an earlier session.
    package let isResumed: Bool
    /// What the client complained of, as OpenSSL names it (RFC 8446, section 6); its goodbye, `close notify`, too.
    package let alerts: [String]
    /// How many bytes the client has sent so far, once TLS was taken off.
    package let receivedBytes: Int
}

/// The passages of one server.
final class TLSRecord: Sendable {
    private let state = Lock<[Int: TLSPassage]>([:])

    /// Keeps what is known of a connection now.
    func note(_ passage: TLSPassage) {
        state.withLock { $0[passage.connection] = passage }
    }

    var passages: [TLSPassage] {
        state.withLock { $0.values.sorted { $0.connection < $1.connection } }
    }
}
