/// What a TLS server shows, and what it agrees to.
///
/// ```swift
/// var settings = TLSServerSettings(identity)
/// settings.chain = [intermediate.certificate]
/// settings.maximumVersion = .tls12
/// settings.resumption = .identifiers
/// ```
package struct TLSServerSettings: Sendable {
    /// A version of the protocol.
    package enum Version: Int32, Sendable, Hashable, CaseIterable {
        case tls10 = 0x0301
        case tls11 = 0x0302
        case tls12 = 0x0303
        case tls13 = 0x0304
    }

    /// How a client may go on with an earlier session.
    package enum Resumption: Sendable, Hashable, CaseIterable {
        /// The client keeps the session, sealed by the server: tickets (RFC 5077; RFC 8446, section 2.2).
        case tickets
        /// The server keeps the session: by an identifier in TLS 1.2, by a ticket that is but one in 1.3.
        case identifiers
        /// Not at all.
        case none
    }

    /// The certificate and its key.
    package var identity: Identity

    /// What is served after the certificate, in this order, whether or not it belongs there.
    package var chain: [Certificate]

    /// What ALPN chooses from, the dearest first; a client that offers none of them is turned away, one that offers
    /// nothing gets the connection.
    package var protocols = ["http/1.1"]

    /// The oldest version that is agreed to.
    package var minimumVersion = Version.tls12

    /// The newest.
    package var maximumVersion = Version.tls13

    /// How a client may go on with an earlier session.
    package var resumption = Resumption.tickets

    /// What tickets are sealed with, 80 bytes; `nil` makes keys that no other context has.
    ///
    /// Two contexts with the same go on with each other's sessions, as where a certificate is renewed while a server runs.
    package var ticketKeys: [UInt8]?

    /// The authorities whose certificates a client must show one of; `nil` asks for none.
    package var clientAuthorities: [Certificate]?

    /// The OCSP response that a client gets that asks for one, as DER (RFC 6066, section 8).
    package var staple: [UInt8]?

    /// Makes settings that serve an identity and its issuer.
    package init(_ identity: Identity) {
        self.identity = identity
        chain = identity.issuer.map { [$0] } ?? []
    }
}
