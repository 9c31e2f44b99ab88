import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Which certificate of which chain a pin may be of.
@Suite("Pinning cases 1 to 13: chains", .timeLimit(.minutes(1)))
struct ChainPinCases {
    private let root: CertificateAuthority
    private let middle: CertificateAuthority
    private let identity: Identity

    init() throws {
        root = try CertificateAuthority(name: "Root")
        middle = try root.intermediate(name: "Middle")
        identity = try middle.issue(names: PinnedSite.names, addresses: PinnedSite.addresses)
    }

    private func site(_ identity: Identity? = nil) throws -> PinnedSite {
        try PinnedSite(identity ?? self.identity, chain: [middle.certificate], trusting: [root.certificate])
    }

    @Test("pinning case 1: the leaf's key is pinned, and the chain is good")
    func leaf() async throws {
        #expect(try await site().ask(pins: [identity.pin, .ofNobody]).isAnswered)
    }

    @Test("pinning case 2: the intermediate's key is pinned")
    func intermediate() async throws {
        #expect(try await site().ask(pins: [middle.certificate.pin, .ofNobody]).isAnswered)
    }

    @Test("pinning case 3: the root's key is pinned, and the root was not sent: it is in the chain that was built")
    func rootNotSent() async throws {
        let site = try site()
        #expect(try await site.ask(pins: [root.certificate.pin, .ofNobody]).isAnswered)
        let failure = try #require(try await site.ask(pins: [.ofNobody]).mismatch)
        #expect(failure.builtNames == ["localhost", "Middle", "Root"])
        #expect(failure.servedNames == ["localhost", "Middle"])
    }

    @Test("pinning case 4: only the backup's pin is set and another key is served: not one byte of a request is sent")
    func backupOnly() async throws {
        let site = try site()
        let backup = try Pin.ofNobody
        let failure = try #require(await site.ask(pins: [backup]).mismatch)
        #expect(failure.expected == [backup.text])
        try await site.allGone()
        #expect(site.server.connectionCount >= 1)
        #expect(site.receivedBytes == 0)
        #expect(site.requests.isEmpty)
    }

    @Test("pinning case 5: the certificate was renewed with the same key, whose digest is pinned")
    func renewed() async throws {
        let renewed = try middle.issue(names: PinnedSite.names, key: identity.key)
        #expect(try await site().ask(pins: [identity.pin]).isAnswered)
        #expect(try await site(renewed).ask(pins: [identity.pin]).isAnswered)
    }

    @Test(
        "pinning case 6: the certificate was renewed with the same key, and the digest of the first certificate is pinned"
    )
    func renewedCertificate() async throws {
        let renewed = try middle.issue(names: PinnedSite.names, key: identity.key)
        #expect(try await site().ask(certificates: [identity.certificate]).isAnswered)
        #expect(try await site(renewed).ask(certificates: [identity.certificate]).mismatch != nil)
    }

    @Test("pinning case 7: the key was rotated to the one of the backup's pin")
    func rotated() async throws {
        let next = try middle.issue(names: PinnedSite.names)
        #expect(try await site(next).ask(pins: [identity.pin, next.pin]).isAnswered)
    }

    @Test("pinning case 8: the leaf's key was rotated, and the intermediate's is pinned")
    func rotatedBelowPin() async throws {
        let next = try middle.issue(names: PinnedSite.names)
        #expect(try await site(next).ask(pins: [middle.certificate.pin]).isAnswered)
    }

    // MARK: Attacks

    /// Pins of everything that is real.
    private var realPins: [Pin] {
        get throws { [try identity.pin, try middle.certificate.pin, try root.certificate.pin] }
    }

    @Test("pinning case 9: another authority that is trusted too issued the certificate")
    func otherAuthority() async throws {
        let evil = try CertificateAuthority(name: "Evil")
        let site = try PinnedSite(
            evil.issue(names: PinnedSite.names),
            trusting: [root.certificate, evil.certificate]
        )
        #expect(try await site.ask(pins: [evil.certificate.pin]).isAnswered)
        let failure = try #require(try await site.ask(pins: realPins).mismatch)
        #expect(failure.builtNames == ["localhost", "Evil"])
    }

    @Test("pinning case 10: as 9, the real certificates sent along: what is only sent is not compared")
    func appended() async throws {
        let evil = try CertificateAuthority(name: "Evil")
        let site = try PinnedSite(
            evil.issue(names: PinnedSite.names),
            chain: [identity.certificate, middle.certificate, root.certificate],
            trusting: [root.certificate, evil.certificate]
        )
        let failure = try #require(try await site.ask(pins: realPins).mismatch)
        #expect(failure.builtNames == ["localhost", "Evil"])
        #expect(failure.servedNames == ["localhost", "localhost", "Middle", "Root"])
        #expect(site.requests.isEmpty)
    }

    @Test("pinning case 11: an intermediate has the pinned one's name, which is sent along", arguments: [true, false])
    func rogueIntermediate(isRogueFirst: Bool) async throws {
        let evil = try CertificateAuthority(name: "Evil")
        let rogue = try evil.intermediate(name: "Middle")
        let both = [rogue.certificate, middle.certificate]
        let site = try PinnedSite(
            rogue.issue(names: PinnedSite.names),
            chain: isRogueFirst ? both : both.reversed(),
            trusting: [root.certificate, evil.certificate]
        )
        #expect(try await site.ask(pins: [rogue.certificate.pin]).isAnswered)
        let failure = try #require(try await site.ask(pins: realPins).mismatch)
        #expect(failure.builtNames == ["localhost", "Middle", "Evil"])
        #expect(site.receivedBytes > 0 && site.requests.count == 1)
    }

    @Test(
        "pinning case 12: a certificate below the pinned intermediate, that is no authority's, issued the leaf",
        arguments: [true, false]
    )
    func switchCertificate(isSwitchFirst: Bool) async throws {
        let switching = try middle.intermediate(name: "Switch", isAuthority: false)
        let both = [switching.certificate, middle.certificate]
        let site = try PinnedSite(
            switching.issue(names: PinnedSite.names),
            chain: isSwitchFirst ? both : both.reversed(),
            trusting: [root.certificate]
        )
        let outcome = try await site.ask(pins: [middle.certificate.pin, switching.certificate.pin])
        #expect(outcome.distrust != nil || outcome.mismatch != nil, "\(outcome)")
        #expect(site.receivedBytes == 0)
    }

    @Test("pinning case 13: there is one authority too many below a pinned one")
    func pathLength() async throws {
        let narrow = try root.intermediate(name: "Narrow", pathLength: 0)
        let below = try narrow.intermediate(name: "Below")
        let site = try PinnedSite(
            below.issue(names: PinnedSite.names),
            chain: [below.certificate, narrow.certificate],
            trusting: [root.certificate]
        )
        let reason = try #require(try await site.ask(pins: [narrow.certificate.pin, below.certificate.pin]).distrust)
        #expect(reason.contains("path length constraint exceeded"))
    }
}
