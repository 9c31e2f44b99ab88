public import FoundationEssentials

/// What a server's TLS shows: its certificates, and the pins that are made of them.
///
/// ```swift
/// let server = try await ServerCertificates(of: "api.example.com")
/// for certificate in server.certificates { show(certificate.publicKeyPin, certificate.subject) }
/// ```
///
/// Any server will do, trusted or not. A handshake is made and nothing is sent over it; no route and no proxy is taken. What
/// is not ``isVerified`` may be anybody's, and is no source of pins.
public struct ServerCertificates: Sendable, Hashable {
    /// One certificate.
    public struct Certificate: Sendable, Hashable {
        /// Where it stands in the chain.
        public enum Role: String, Sendable, Hashable {
            /// The server's own.
            case server

            /// That of an authority between the server's and the root.
            case intermediate

            /// That of an authority which vouches for itself.
            case root
        }

        /// Where it stands in the chain.
        public let role: Role

        /// The holder's name (RFC 4514).
        public let subject: String

        /// The name of who signed it.
        public let issuer: String

        /// The last moment at which it holds; `nil` if it says nothing sensible.
        public let expiry: Date?

        /// The digest of its public key, `sha256/…`, as ``CertificatePinning/publicKeys(_:_:)`` takes it.
        public let publicKeyPin: String

        /// The digest of the whole certificate, `sha256/…`: what is compared with ``CertificatePinning/Subject/certificate``.
        public let certificatePin: String
    }

    /// The host that was asked.
    public let host: String

    /// Its port.
    public let port: Int

    /// The chain that was verified, from the server's own certificate to the root; or, if none was, what the server sent.
    public let certificates: [Certificate]

    /// What is wrong with it, one sentence for each thing; empty if nothing is.
    public let problems: [String]

    /// Whether the chain leads to a trusted authority, holds now, and is for the host.
    public var isVerified: Bool { problems.isEmpty }

    /// Asks a server for its certificates.
    ///
    /// - Parameters:
    ///   - server: The host's name or address, with a port behind it if it is not 443.
    ///   - certificateAuthorityFile: The path of a PEM file with the authorities to trust; `nil` for the system's.
    ///   - timeout: How long a connection, and each step of the handshake, may take.
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` if the server's name is none; ``RepositoryError/dns(host:)``,
    ///   ``RepositoryError/refused(host:)``, ``RepositoryError/noNetworkConnection`` or ``RepositoryError/timeout(_:)`` if it cannot
    ///   be reached; ``RepositoryError/tls(reason:)`` if it shows no certificate; ``RepositoryError/cancelled``.
    public init(
        of server: String,
        certificateAuthorityFile: String? = nil,
        timeout: Duration = .seconds(15)
    ) async throws(RepositoryError) {
        let target: HostPort
        do throws(RepositoryError) {
            target = try HostPort(server, of: "the server")
        } catch {
            guard case .invalidConfiguration(let reason) = error else { throw error }
            throw .invalidURL(reason: reason)
        }
        let probe = ServerProbe(target, certificateAuthorityFile, timeout)
        try await self.init(probe.run(), of: probe)
    }
}
