import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

@Suite("Stapled proof that a certificate was not revoked", .timeLimit(.minutes(1)))
struct StaplingTests {
    /// What a server may staple.
    enum Proof: CaseIterable {
        case none, good, revoked, unknown, old, future, another, forged, garbage
    }

    private func server(
        _ proof: Proof,
        _ version: TLSServerSettings.Version,
        of root: CertificateAuthority? = nil
    ) throws -> (ScriptedServer, ServerTLS) {
        let root = try root ?? CertificateAuthority(name: "Root")
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

    @Test(
        "is demanded of a server alone, and not of a proxy that leads to it; a proxy that gives one must be right",
        arguments: [(Proof.good, Proof.none), (.none, .none), (.none, .good), (.good, .revoked)]
    )
    func judgesProxy(proof: Proof, proxyProof: Proof) async throws {
        let root = try CertificateAuthority(name: "Root")
        let (server, tls) = try server(proof, .tls13, of: root)
        let (_, proxyTLS) = try self.server(proxyProof, .tls13, of: root)
        let proxy = try ScriptedProxy(.https, target: server.port, tls: proxyTLS)
        var route = TransportRoute()
        route.proxy = .init(url: "https://127.0.0.1:\(proxy.port)")
        var policy = TrustPolicy(certificateAuthorityFile: tls.authorityPath)
        policy.tls.stapling = .required
        let transport = Transport(policy: policy, route: route)

        let reason = await failure(transport, TransportRequest(url: server.baseURL.absoluteString + "/"))?.tlsReason
        switch (proof, proxyProof) {
        case (_, .revoked): #expect(reason == "the proxy's certificate was revoked")
        case (.good, _): #expect(reason == nil)
        default: #expect(reason?.hasPrefix("the server did not prove") == true, "\(reason ?? "")")
        }
        #expect(server.requests.count == (reason == nil ? 1 : 0))
    }

    @Test("is not demanded of a proxy that leads to a server without TLS")
    func judgesProxyToPlainServer() async throws {
        // The file of whom to trust goes with the first one.
        let (secured, tls) = try server(.none, .tls13)
        defer { secured.stop() }
        let server = try ScriptedServer(.text("answer"))
        let proxy = try ScriptedProxy(.https, target: server.port, tls: tls)
        defer { proxy.stop() }
        var route = TransportRoute()
        route.proxy = .init(url: "https://127.0.0.1:\(proxy.port)")
        var policy = TrustPolicy(certificateAuthorityFile: tls.authorityPath)
        policy.tls.stapling = .required

        let request = TransportRequest(url: server.baseURL.absoluteString + "/")
        let failed = await failure(Transport(policy: policy, route: route), request)
        #expect(failed == nil)
    }
}
