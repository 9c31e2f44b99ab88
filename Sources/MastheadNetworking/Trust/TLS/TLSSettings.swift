/// How TLS is spoken, and what this side shows of itself.
///
/// ```swift
/// $0.tls.minimumVersion = .tls13
/// $0.tls.clientIdentity = .pkcs12(file: "/etc/reader/identity.p12", passphrase: passphrase)
/// ```
///
/// Whatever is set here, a certificate must be for the host's name, hold now and lead to a trusted authority: the system's,
/// or those of ``NetworkingConfiguration/certificateAuthorityFile``. The name is sent in the handshake (SNI), and HTTP/2 is
/// agreed on in it (ALPN); early data is never sent. A connection may go on with an earlier session, without a certificate
/// shown again, for a day at most, and not for longer than each certificate that was verified for it holds.
public struct TLSSettings: Sendable, Hashable {
    /// A version of the protocol.
    public enum Version: String, Sendable, Hashable, Comparable, CaseIterable {
        /// RFC 5246.
        case tls12 = "1.2"

        /// RFC 8446.
        case tls13 = "1.3"

        /// Whether the left one is older.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is made of a server's word that its certificate was not revoked: an answer of its authority, stapled to the
    /// handshake (OCSP; RFC 6066, section 8).
    ///
    /// An `https` proxy is asked for it too, but need not have one: a server's TLS goes through it unopened.
    public enum StapledStatus: String, Sendable, Hashable, CaseIterable {
        /// It is not asked for.
        case ignored

        /// It may be missing; one that is there must be right.
        case checked

        /// The server's must be there, in each handshake: no session is gone on with. Few servers have one always.
        case required
    }

    /// The oldest version that is spoken; TLS 1.2 by default.
    public var minimumVersion: Version = .tls12

    /// What is made of stapled statuses; ``StapledStatus/checked`` by default.
    public var stapledStatus: StapledStatus = .checked

    /// What a server is shown that asks who is there; `nil`, the default, shows nothing.
    public var clientIdentity: ClientIdentity?

    /// Whether **any certificate whatever** is taken for the server's: for a developer's own server, and for nothing else;
    /// `false` by default.
    ///
    /// Whoever is on the way can read and change everything then. It works only where the connection leads to this
    /// machine or into a private network; none is made to another address. It excludes pins, proxies and
    /// ``clientIdentity``, no file and no environment variable can set it, and the logger is told of it with each
    /// repository that is made.
    ///
    /// Better than this: trust your own authority with ``NetworkingConfiguration/certificateAuthorityFile``.
    public var dangerouslyTrustsAnyCertificateOnPrivateNetworks: Bool = false

    /// Makes the settings.
    public init(_ configure: (inout TLSSettings) -> Void = { _ in }) {
        configure(&self)
    }
}
