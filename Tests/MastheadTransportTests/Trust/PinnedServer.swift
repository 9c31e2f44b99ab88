import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport

/// A server with a chain of three, and what its clients need to know.
struct PinnedServer {
    let server: ScriptedServer
    let tls: ServerTLS
    let root: CertificateAuthority
    let intermediate: CertificateAuthority
    let identity: Identity

    /// A pin that no certificate has.
    static let strange = Pin.publicKey(Array(repeating: 7, count: Pin.size))

    init(
        _ set: (inout TLSServerSettings) throws -> Void = { _ in },
        answer: @escaping @Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer = { _ in .text("answer") }
    ) throws {
        root = try CertificateAuthority(name: "Root")
        intermediate = try root.intermediate(name: "Intermediate")
        identity = try intermediate.issue(
            names: ["localhost", "a.example.com"],
            addresses: ["127.0.0.1"]
        )
        var settings = TLSServerSettings(identity)
        try set(&settings)
        tls = try ServerTLS(settings, trusting: [root.certificate])
        server = try ScriptedServer(secured: tls) { answer($0) }
    }

    var url: String { server.baseURL.absoluteString + "/" }

    /// The chain's pins, its leaf first.
    var pins: [Pin] {
        get throws {
            try [identity.certificate, intermediate.certificate, root.certificate].map {
                .publicKey(try $0.publicKeyDigest())
            }
        }
    }

    func policy(_ pins: PinSource?, _ change: (inout TrustPolicy) -> Void = { _ in }) -> TrustPolicy {
        var policy = TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile)
        policy.pins = pins
        change(&policy)
        return policy
    }

    func transport(_ pins: PinSource?, _ change: (inout TrustPolicy) -> Void = { _ in }) -> Transport {
        Transport(policy: policy(pins, change))
    }

    /// Pins of 127.0.0.1.
    static func pins(_ pins: Pin..., isEnforced: Bool = true) throws -> PinPolicy {
        PinPolicy(hosts: [try PinnedHost("127.0.0.1", pins: pins, isEnforced: isEnforced)])
    }
}

/// What an exchange failed with; `nil` for an answer.
func failure(_ transport: Transport, _ request: TransportRequest) async -> TransportError? {
    do throws(TransportError) {
        _ = try await transport.perform(request)
        return nil
    } catch {
        return error
    }
}

extension TransportError {
    var pinFailure: PinFailure? {
        if case .pinMismatch(let failure) = self { failure } else { nil }
    }

    var tlsReason: String? {
        if case .tls(let reason) = self { reason } else { nil }
    }
}
