import FoundationEssentials
import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport

/// A server whose certificates a case chooses, and clients that trust what the case says.
final class PinnedSite: Sendable {
    static let names = ["localhost"]
    static let addresses = ["127.0.0.1", "::1"]

    let server: ScriptedServer
    let tls: ServerTLS

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - identity: What it shows.
    ///   - chain: What it serves after that.
    ///   - trusted: What clients trust.
    ///   - set: Sets more of its TLS.
    ///   - respond: What it answers.
    /// - Throws: What kept it from starting.
    init(
        _ identity: Identity,
        chain: [Certificate] = [],
        trusting trusted: [Certificate],
        _ set: (inout TLSServerSettings) -> Void = { _ in },
        respond: @escaping @Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer = { .text($0.target) }
    ) throws {
        var settings = TLSServerSettings(identity)
        settings.chain = chain
        set(&settings)
        tls = try ServerTLS(settings, trusting: trusted)
        server = try ScriptedServer(secured: tls, respond: respond)
    }

    deinit {
        server.stop()
    }

    var port: Int { server.port }

    var requests: [ScriptedServer.ReceivedRequest] { server.requests }

    /// How many bytes of requests have come so far, over all connections.
    var receivedBytes: Int { tls.passages.reduce(0) { $0 + $1.receivedBytes } }

    /// Waits until nobody is connected any more.
    func allGone() async throws {
        try await server.closedConnections(count: server.connectionCount)
    }

    // MARK: Clients

    /// A client that trusts what this server's clients trust.
    ///
    /// - Parameters:
    ///   - host: By which name it asks; `nil` is `localhost` and the server's port, another has the usual port and is led
    ///     here by the client's route.
    ///   - set: Sets more of its configuration.
    /// - Returns: The client.
    func client(_ host: String? = nil, _ set: (inout NetworkingConfiguration) -> Void) -> PinnedClient {
        PinnedClient(configuration(host, set))
    }

    /// What that client is configured with.
    func configuration(
        _ host: String? = nil,
        _ set: (inout NetworkingConfiguration) -> Void
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: host ?? "localhost", port: host == nil ? port : nil) {
            $0.certificateAuthorityFile = tls.authorityPath
            if let host { $0.route.addresses = [host: "127.0.0.1:\(port)"] }
            set(&$0)
        }
    }

    /// A client that knows the host it asks by pins.
    func client(_ host: String? = nil, pins: [Pin]) -> PinnedClient {
        client(host) { $0.pinning = .of(nil, pins) }
    }

    /// Asks this server once, by a client of its own.
    func ask(_ host: String? = nil, pins: [Pin]) async -> PinnedOutcome {
        await client(host, pins: pins).ask()
    }

    /// Asks this server once, by a client of its own that knows it by whole certificates.
    func ask(certificates: [Certificate]) async throws -> PinnedOutcome {
        let folder = try TestFolder()
        for (number, certificate) in certificates.enumerated() {
            _ = try folder.file("\(number).der", Data(certificate.der()))
        }
        return await client {
            $0.pinning = .certificates(in: folder.path(""), comparing: .certificate)
            $0.pinning?.allowsSinglePin = true
        }.ask()
    }
}

extension CertificatePinning {
    /// Pins of one host; `nil` is the configuration's own.
    static func of(
        _ host: String?,
        _ pins: [Pin],
        _ configure: (inout Host) -> Void = { _ in }
    ) -> CertificatePinning {
        var pinning = CertificatePinning(hosts: [.of(host, pins, configure)])
        pinning.allowsSinglePin = true
        return pinning
    }

    /// Pins of a host that nobody asks, so none for those that are asked.
    static var ofOthers: CertificatePinning {
        get throws { .of("others.test", [try .ofNobody]) }
    }
}

extension CertificatePinning.Host {
    /// One host's pins.
    static func of(_ host: String?, _ pins: [Pin], _ configure: (inout Self) -> Void = { _ in }) -> Self {
        let texts = CertificatePinning.Pins.publicKeys(pins.map(\.text))
        return if let host { Self(host, texts, configure) } else { Self(texts, configure) }
    }
}

extension Certificate {
    /// The digest of its key.
    var pin: Pin { get throws { .publicKey(try Digest.sha256(publicKeyDER()).bytes) } }
}

extension Identity {
    /// The digest of its key.
    var pin: Pin { get throws { try certificate.pin } }
}

extension Pin {
    /// Of a key that nobody has.
    static var ofNobody: Pin { get throws { .publicKey(try SecureRandom.bytes(count: Pin.size)) } }
}
