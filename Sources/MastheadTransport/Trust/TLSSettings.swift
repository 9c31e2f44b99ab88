/// How TLS is spoken, and who is believed beside the system's authorities.
package struct TLSSettings: Hashable, Sendable {
    /// The oldest version that is spoken.
    package enum Version: Hashable, Sendable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// What is made of a server's proof that its certificate was not revoked (OCSP stapling; RFC 6066, section 8).
    package enum Stapling: Hashable, Sendable {
        /// It is not asked for.
        case ignored
        /// One that is there must be right, and say that the certificate is good.
        case checked
        /// There must be one.
        case required
    }

    package var minimumVersion = Version.tls12
    package var stapling = Stapling.checked
    /// What a server that asks is shown.
    package var clientIdentity: TLSClientIdentity?
    /// Trusts **any certificate whatever**, so everybody on the way: for a developer's own server.
    ///
    /// Only where the connection leads to this machine or a private network; elsewhere nothing is sent. It is refused
    /// together with pins, a proxy or a proof of stapling.
    package var dangerouslyTrustsAnyCertificateOnPrivateNetworks = false

    package init() {}
}
