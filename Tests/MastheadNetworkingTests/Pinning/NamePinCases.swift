import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Which host's pins hold for a host that is asked for.
@Suite("Pinning cases 36 to 39 and 47: names", .timeLimit(.minutes(1)))
struct NamePinCases {
    private let root: CertificateAuthority

    init() throws {
        root = try CertificateAuthority(name: "Root")
    }

    /// What came of asking one host after the other, all at one server, whose certificate is for all of them.
    private func ask(
        _ hosts: [String],
        names: [String]? = nil,
        _ pinning: CertificatePinning
    ) async throws -> [PinnedOutcome] {
        let site = try PinnedSite(root.issue(names: names ?? hosts), trusting: [root.certificate])
        var outcomes: [PinnedOutcome] = []
        for host in hosts { outcomes.append(await site.client(host) { $0.pinning = pinning }.ask()) }
        return outcomes
    }

    private var rightPin: Pin { get throws { try root.certificate.pin } }

    @Test(
        "pinning case 36: one policy holds for every spelling of a host",
        arguments: [
            ("localhost", ["localhost", "LOCALHOST", "LocalHost", "localhost."]),
            ("LocalHost.", ["localhost", "LOCALHOST."]),
            (
                "bücher.test",
                ["bücher.test", "BÜCHER.test", "xn--bcher-kva.test", "XN--BCHER-KVA.TEST.", "bücher.test."]
            ),
            ("xn--bcher-kva.test", ["xn--bcher-kva.test", "xn--BCHER-kva.test.", "Bücher.Test"]),
        ]
    )
    func spellings(pinned: String, asked: [String]) async throws {
        let names = ["localhost", "xn--bcher-kva.test"]
        let wrong = try await ask(asked, names: names, .of(pinned, [.ofNobody]))
        #expect(wrong.allSatisfy { $0.mismatch?.expected.count == 1 }, "\(wrong)")
        var pinning = try CertificatePinning.of(pinned, [rightPin])
        pinning.allowsUnpinnedHosts = false
        let right = try await ask(asked, names: names, pinning)
        #expect(right.allSatisfy { $0.isAnswered }, "\(right)")
    }

    @Test("pinning case 37: names that only look like being below the pinned one are not pinned")
    func lookalikes() async throws {
        let pinning = try CertificatePinning.of("example.com", [.ofNobody]) { $0.includesSubdomains = true }
        let outcomes = try await ask(
            ["evil-example.com", "example.com.evil.org", "xample.com", "com.example"],
            pinning
        )
        #expect(outcomes.allSatisfy { $0.isAnswered }, "\(outcomes)")
        #expect(try await ask(["example.com"], pinning).allSatisfy { $0.mismatch != nil })
    }

    @Test("pinning case 38: with its subdomains means all below, but those excluded")
    func subdomains() async throws {
        let pin = try Pin.ofNobody
        let pinning = CertificatePinning.of("example.com", [pin]) {
            $0.includesSubdomains = true
            $0.excludedSubdomains = ["c.example.com"]
        }
        let pinned = try await ask(["a.b.example.com", "a.example.com", "notc.example.com", "example.com"], pinning)
        #expect(pinned.allSatisfy { $0.mismatch?.expected == [pin.text] }, "\(pinned)")
        let names = ["c.example.com", "d.c.example.com"]
        let excluded = try await ask(names + ["C.Example.com."], names: names, pinning)
        #expect(excluded.allSatisfy { $0.isAnswered }, "\(excluded)")
        #expect(try await ask(["a.example.com"], .of("example.com", [pin])).allSatisfy { $0.isAnswered })
    }

    @Test("pinning case 39: of two policies that hold, the longest name's counts alone", arguments: [false, true])
    func longest(isReversed: Bool) async throws {
        let (nobody, right) = (try Pin.ofNobody, try rightPin)
        func pinning(parent: Pin, child: Pin) -> CertificatePinning {
            let hosts = [
                CertificatePinning.Host.of("example.com", [parent]) { $0.includesSubdomains = true },
                .of("api.example.com", [child]) { $0.includesSubdomains = true },
            ]
            var pinning = CertificatePinning(hosts: isReversed ? hosts.reversed() : hosts)
            pinning.allowsSinglePin = true
            return pinning
        }
        let asked = ["api.example.com", "v2.api.example.com"]
        let strict = try await ask(asked, pinning(parent: right, child: nobody))
        #expect(strict.allSatisfy { $0.mismatch?.expected == [nobody.text] }, "\(strict)")
        let free = pinning(parent: nobody, child: right)
        #expect(try await ask(asked, free).allSatisfy { $0.isAnswered })
        #expect(try await ask(["www.example.com"], free).allSatisfy { $0.mismatch?.expected == [nobody.text] })
    }

    @Test(
        "pinning case 47: an address that is pinned is judged, though no name is sent to its server",
        arguments: [true, false]
    )
    func address(isRight: Bool) async throws {
        let identity = try root.issue(names: PinnedSite.names, addresses: PinnedSite.addresses)
        let site = try PinnedSite(identity, trusting: [root.certificate])
        let pin = isRight ? try identity.pin : try Pin.ofNobody
        let configuration = NetworkingConfiguration(domainURL: "127.0.0.1", port: site.port) {
            $0.certificateAuthorityFile = site.tls.authorityPath
            $0.pinning = .of("127.0.0.1", [pin])
            $0.pinning?.allowsUnpinnedHosts = false
        }
        let outcome = await PinnedClient(configuration).ask()
        #expect(outcome.isAnswered == isRight, "\(outcome)")
        if !isRight {
            #expect(outcome.mismatch?.host == "127.0.0.1" && outcome.mismatch?.port == site.port)
            #expect(outcome.mismatch?.expected == [pin.text])
        }
        #expect(site.tls.passages.allSatisfy { $0.serverName == nil })
        #expect(site.requests.count == (isRight ? 1 : 0))
    }

    @Test("pinning case 47: an address of IPv6 that is pinned in another spelling", arguments: [true, false])
    func addressOfIPv6(isRight: Bool) async throws {
        let identity = try root.issue(names: PinnedSite.names, addresses: PinnedSite.addresses)
        let tls = try ServerTLS(TLSServerSettings(identity), trusting: [root.certificate])
        guard let server = try? ScriptedServer(secured: tls, host: .ipv6, respond: { _ in .text("six") }) else {
            return  // A machine without IPv6.
        }
        defer { server.stop() }
        let pin = isRight ? try identity.pin : try Pin.ofNobody
        let configuration = NetworkingConfiguration(domainURL: "[::1]", port: server.port) {
            $0.certificateAuthorityFile = tls.authorityPath
            $0.pinning = .of("0:0:0:0:0:0:0:1", [pin])
            $0.pinning?.allowsUnpinnedHosts = false
        }
        let outcome = await PinnedClient(configuration).ask()
        #expect(outcome.isAnswered == isRight, "\(outcome)")
        #expect((outcome.mismatch?.expected == [pin.text]) == !isRight)
        #expect(tls.passages.allSatisfy { $0.serverName == nil })
    }
}
