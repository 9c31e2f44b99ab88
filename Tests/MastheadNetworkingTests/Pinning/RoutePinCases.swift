import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

/// Whoever stands between: proxies, and hosts that share a machine.
@Suite("Pinning cases 33 to 35: proxies and shared addresses", .timeLimit(.minutes(1)))
struct RoutePinCases {
    private let root: CertificateAuthority
    private let identity: Identity

    init() throws {
        root = try CertificateAuthority(name: "Root")
        identity = try root.issue(names: ["a.test", "b.test"])
    }

    /// A client of `a.test` that goes through a proxy, and trusts what a site's clients trust.
    private func client(of site: PinnedSite, _ proxy: ScriptedProxy, _ pinning: CertificatePinning?) -> PinnedClient {
        site.client("a.test") {
            $0.route = .proxy(ProxyServer(proxy.kind == .https ? .https : .http, host: "127.0.0.1", port: proxy.port))
            $0.pinning = pinning
        }
    }

    // MARK: Proxies

    @Test("pinning case 33: an HTTPS proxy is not judged by the origin's pins, and the origin still is")
    func secureProxy() async throws {
        let others = try CertificateAuthority(name: "Proxy Root")
        let shown = try others.issue(names: [], addresses: ["127.0.0.1"])
        let site = try PinnedSite(identity, trusting: [root.certificate, others.certificate])
        let proxy = try ScriptedProxy(.https, target: site.port, tls: ServerTLS(TLSServerSettings(shown), trusting: []))
        defer { proxy.stop() }

        let right = try client(of: site, proxy, .of(nil, [identity.pin]))
        #expect(await right.ask().isAnswered)
        #expect(proxy.visits.map(\.target) == ["a.test:443"])
        let wrong = try client(of: site, proxy, .of(nil, [.ofNobody]))
        #expect(await wrong.ask().mismatch?.builtNames == ["a.test", "Root"])
        // The proxy's key is no better than anybody's.
        let mistaken = try client(of: site, proxy, .of(nil, [shown.pin, others.certificate.pin]))
        #expect(await mistaken.ask().mismatch?.builtNames == ["a.test", "Root"])
        #expect(site.requests.count == 1)
        #expect(site.tls.passages.dropFirst().allSatisfy { $0.receivedBytes == 0 })
    }

    @Test("pinning case 34: a proxy breaks TLS open with a certificate of an authority that is trusted too")
    func interception() async throws {
        let evil = try CertificateAuthority(name: "Company Root")
        let opened = try PinnedSite(
            evil.issue(names: ["a.test"]),
            chain: [identity.certificate, root.certificate],
            trusting: [root.certificate, evil.certificate]
        )
        let proxy = try ScriptedProxy(.http, target: opened.port)
        defer { proxy.stop() }

        // It works where nobody looks.
        #expect(await client(of: opened, proxy, nil).ask().isAnswered)
        let sent = opened.receivedBytes
        let pinned = try client(of: opened, proxy, .of(nil, [identity.pin, root.certificate.pin]))
        let mismatch = try #require(await pinned.ask().mismatch)
        #expect(mismatch.host == "a.test" && mismatch.port == 443)
        #expect(mismatch.builtNames == ["a.test", "Company Root"])
        #expect(opened.receivedBytes == sent)
        #expect(proxy.visits.count == 2)
    }

    // MARK: Shared addresses

    @Test(
        "pinning case 35: two hosts of one certificate and address speak HTTP/2: each is judged by its own pins, on its own connection"
    )
    func sharedAddress() async throws {
        var settings = TLSServerSettings(identity)
        settings.protocols = ["h2"]
        let server = try HTTP2Server(tls: ServerTLS(settings, trusting: [root.certificate]))
        defer { server.stop() }
        func ask(_ host: String, _ pins: [Pin]) async throws -> PinnedOutcome {
            var pinning = try CertificatePinning.of("a.test", [identity.pin])
            pinning.hosts.append(.of("b.test", pins))
            return await PinnedClient(
                NetworkingConfiguration(domainURL: host) {
                    $0.certificateAuthorityFile = server.certificateAuthorityFile
                    $0.route.addresses = ["a.test": "127.0.0.1:\(server.port)", "b.test": "127.0.0.1:\(server.port)"]
                    $0.pinning = pinning
                }
            ).ask()
        }

        let wrong = [try Pin.ofNobody]
        #expect(try await ask("a.test", wrong).isAnswered)
        #expect(try await ask("b.test", wrong).mismatch?.host == "b.test")
        #expect(try await ask("a.test", wrong).isAnswered)
        #expect(server.requests.map(\.connection) == [0, 0])

        let right = [try root.certificate.pin]
        #expect(try await ask("a.test", right).isAnswered)
        #expect(try await ask("b.test", right).isAnswered)
        #expect(Set(server.requests.suffix(2).map(\.connection)).count == 2)
        #expect(server.requests.count == 4)
        #expect(Set(server.passages.compactMap(\.serverName)) == ["a.test", "b.test"])
    }
}
