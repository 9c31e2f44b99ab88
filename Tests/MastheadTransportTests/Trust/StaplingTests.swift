import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import Testing

@Suite("Stapled proof that a certificate was not revoked", .timeLimit(.minutes(1)))
struct StaplingTests {
    /// What a server may staple.
    enum Proof: CaseIterable {
        case none, good, revoked, unknown, old, future, another, forged, garbage
    }

    private func server(_ proof: Proof, _ version: TLSServerSettings.Version) throws -> (ScriptedServer, ServerTLS) {
        let root = try CertificateAuthority(name: "Root")
        let rogue = try CertificateAuthority(name: "Root")
        let identity = try root.issue(names: ["localhost"], addresses: ["127.0.0.1"])
        let certificate = identity.certificate
        let other = try root.issue(names: ["other"]).certificate
        var settings = TLSServerSettings(identity)
        settings.maximumVersion = version
        settings.staple =
            switch proof {
            case .none: nil
            case .good: try root.staple(for: certificate)
            case .revoked: try root.staple(for: certificate, .revoked)
            case .unknown: try root.staple(for: certificate, .unknown)
            case .old: try root.staple(for: certificate, validity: .init(start: -7200, end: -3600))
            case .future: try root.staple(for: certificate, validity: .init(start: 3600, end: 7200))
            case .another: try root.staple(for: other)
            case .forged: try rogue.staple(for: certificate)
            case .garbage: [1, 2, 3]
            }
        let tls = try ServerTLS(settings, trusting: [root.certificate])
        return (try ScriptedServer(secured: tls) { _ in .text("answer").closing() }, tls)
    }

    @Test(
        "is believed if it is there and right, and refuses the server otherwise",
        arguments: Proof.allCases,
        [TLSServerSettings.Version.tls12, .tls13]
    )
    func judges(proof: Proof, version: TLSServerSettings.Version) async throws {
        let (server, tls) = try server(proof, version)
        func failed(_ stapling: TLSSettings.Stapling) async -> TransportError? {
            var policy = TrustPolicy(certificateAuthorityFile: tls.authorityPath)
            policy.tls.stapling = stapling
            return await failure(Transport(policy: policy), TransportRequest(url: server.baseURL.absoluteString + "/"))
        }

        #expect(await failed(.ignored) == nil)
        let checked = await failed(.checked)
        let required = await failed(.required)
        switch proof {
        case .good:
            #expect(checked == nil)
            #expect(required == nil)
        case .none:
            #expect(checked == nil)
            #expect(required?.tlsReason?.contains("did not prove") == true)
        case .revoked:
            #expect(checked?.tlsReason?.contains("was revoked") == true)
            #expect(required == checked)
        case .unknown, .old, .future, .another, .forged, .garbage:
            #expect(checked?.tlsReason?.contains("proves nothing") == true)
            #expect(required == checked)
        }
    }

    @Test("is asked for on every connection where it is required, though a session could be gone on with")
    func asksEachTime() async throws {
        for (stapling, isResumed) in [(TLSSettings.Stapling.checked, true), (.required, false)] {
            let (server, tls) = try server(.good, .tls13)
            var policy = TrustPolicy(certificateAuthorityFile: tls.authorityPath)
            policy.tls.stapling = stapling
            let transport = Transport(policy: policy)
            for _ in 0..<2 {
                #expect(await failure(transport, TransportRequest(url: server.baseURL.absoluteString + "/")) == nil)
            }
            #expect(tls.passages.map(\.isResumed) == [false, isResumed])
        }
    }
}
