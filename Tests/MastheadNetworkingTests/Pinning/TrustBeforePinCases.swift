import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// A pin replaces nothing that makes a certificate one to trust.
@Suite("Pinning cases 14 to 23, 29 and 30: trust comes first", .timeLimit(.minutes(1)))
struct TrustBeforePinCases {
    private let root: CertificateAuthority
    private let middle: CertificateAuthority

    init() throws {
        root = try CertificateAuthority(name: "Root")
        middle = try root.intermediate(name: "Middle")
    }

    private func leaf(_ validity: CertificateAuthority.Validity = .aroundNow) throws -> Identity {
        try middle.issue(names: PinnedSite.names, addresses: PinnedSite.addresses, validity: validity)
    }

    // MARK: Time

    @Test("pinning case 14: the leaf whose key is pinned has expired")
    func expiredLeaf() async throws {
        let identity = try leaf(.expired)
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        #expect(try await site.ask(pins: [identity.pin]).distrust?.contains("certificate has expired") == true)
    }

    @Test("pinning case 15: the intermediate has expired, and the leaf's key is pinned")
    func expiredIntermediate() async throws {
        let expired = try root.intermediate(name: "Middle", key: middle.key, validity: .expired)
        let identity = try leaf()
        let site = try PinnedSite(identity, chain: [expired.certificate], trusting: [root.certificate])
        #expect(try await site.ask(pins: [identity.pin]).distrust?.contains("certificate has expired") == true)
    }

    @Test("pinning case 16: the intermediate that was sent has expired, and one that holds is among the trusted")
    func expiredIntermediateRenewed() async throws {
        let expired = try root.intermediate(name: "Middle", key: middle.key, validity: .expired)
        let identity = try leaf()
        let site = try PinnedSite(
            identity,
            chain: [expired.certificate],
            trusting: [root.certificate, middle.certificate]
        )
        #expect(try await site.ask(pins: [identity.pin]).isAnswered)
        #expect(try await site.ask(certificates: [middle.certificate]).isAnswered)
        #expect(try await site.ask(certificates: [expired.certificate]).mismatch != nil)
    }

    @Test("pinning case 17: the leaf does not hold yet")
    func futureLeaf() async throws {
        let identity = try leaf(.future)
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        #expect(try await site.ask(pins: [identity.pin]).distrust?.contains("certificate is not yet valid") == true)
    }

    // MARK: Names and anchors

    @Test("pinning case 18: the pin is right and the name is another's: an error of the name, not of the pins")
    func wrongName() async throws {
        let identity = try middle.issue(names: ["other.example"])
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        let outcome = try await site.ask(pins: [identity.pin])
        #expect(outcome.distrust?.contains("no alternative certificate subject name matches") == true, "\(outcome)")
        #expect(site.receivedBytes == 0)
    }

    @Test("pinning case 19: the pinned leaf signed itself: trusted only by who says that it is")
    func selfSigned() async throws {
        let identity = try CertificateAuthority.selfSigned(names: PinnedSite.names)
        let distrusted = try PinnedSite(identity, trusting: [root.certificate])
        #expect(try await distrusted.ask(pins: [identity.pin]).distrust?.contains("self-signed certificate") == true)
        let trusted = try PinnedSite(identity, trusting: [identity.certificate])
        #expect(try await trusted.ask(pins: [identity.pin]).isAnswered)
        #expect(try await trusted.ask(pins: [.ofNobody]).mismatch?.builtNames == ["localhost"])
    }

    @Test("pinning case 20: the intermediate is missing, and the leaf's key is pinned")
    func missingIntermediate() async throws {
        let identity = try leaf()
        let site = try PinnedSite(identity, trusting: [root.certificate])
        #expect(
            try await site.ask(pins: [identity.pin]).distrust?.contains("unable to get local issuer certificate")
                == true
        )
    }

    // MARK: Where the chain ends

    @Test(
        "pinning case 21: old and new root are trusted, the cross-signed one is sent, the old one pinned: the error shows where the chain ends"
    )
    func crossSigned() async throws {
        let old = try CertificateAuthority(name: "Old Root")
        let crossed = try old.crossSign(root)
        let identity = try leaf()
        let chain = [middle.certificate, crossed]
        let site = try PinnedSite(identity, chain: chain, trusting: [old.certificate, root.certificate])
        let failure = try #require(try await site.ask(pins: [old.certificate.pin]).mismatch)
        #expect(failure.builtNames == ["localhost", "Middle", "Root"])
        #expect(failure.servedNames == ["localhost", "Middle", "Root"])
        #expect(failure.built.last?.hasPrefix("\(try root.certificate.pin.text) ") == true)
    }

    @Test("pinning case 22: as 21, and only the old root is trusted")
    func crossSignedOldOnly() async throws {
        let old = try CertificateAuthority(name: "Old Root")
        let crossed = try old.crossSign(root)
        let site = try PinnedSite(leaf(), chain: [middle.certificate, crossed], trusting: [old.certificate])
        #expect(try await site.ask(pins: [old.certificate.pin]).isAnswered)
    }

    @Test("pinning case 23: the intermediate is trusted itself, and the root is pinned", arguments: [true, false])
    func intermediateTrusted(isRootTrusted: Bool) async throws {
        let trusted = [middle.certificate] + (isRootTrusted ? [root.certificate] : [])
        let site = try PinnedSite(leaf(), chain: [middle.certificate], trusting: trusted)
        let failure = try #require(try await site.ask(pins: [root.certificate.pin]).mismatch)
        #expect(failure.builtNames == ["localhost", "Middle"])
        #expect(try await site.ask(pins: [middle.certificate.pin]).isAnswered)
    }

    // MARK: Whom a client trusts

    @Test(
        "pinning case 29: verification is switched off where a host is pinned: refused before a byte is sent",
        arguments: [true, false]
    )
    func verificationOff(isPinRight: Bool) async throws {
        let identity = try leaf()
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        let pin = isPinRight ? try identity.pin : try Pin.ofNobody
        let outcome = await site.client {
            $0.pinning = .of(nil, [pin])
            $0.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true
        }.ask()
        guard case .other(let reason) = outcome else {
            Issue.record("got \(outcome)")
            return
        }
        #expect(reason.contains("pinning excludes dangerouslyTrustsAnyCertificateOnPrivateNetworks"))
        #expect(site.server.connectionCount == 0)
    }

    @Test(
        "pinning case 29: the same, forced past the configuration: the transport refuses it too",
        arguments: [true, false]
    )
    func verificationForcedOff(isPinRight: Bool) async throws {
        let identity = try leaf()
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        let pin = isPinRight ? try identity.pin : try Pin.ofNobody
        var policy = TrustPolicy(certificateAuthorityFile: site.tls.authorityPath)
        policy.pins = .fixed(PinPolicy(hosts: [try PinnedHost("localhost", pins: [pin])]))
        policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true
        guard case .other = await PinnedClient(policy, site.port).ask() else {
            Issue.record("expected it to be refused")
            return
        }
        #expect(site.receivedBytes == 0)
        #expect(site.requests.isEmpty)
    }

    @Test("pinning case 30: a root that one client trusts is not trusted by another, before or after")
    func oneClientsRoot() async throws {
        let identity = try leaf()
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        let stranger = try CertificateAuthority(name: "Stranger")
        let other = try PinnedSite(stranger.issue(names: ["other.test"]), trusting: [stranger.certificate])
        let trusting = try site.client(pins: [identity.pin])
        let strangers = try [other.tls.authorityPath, nil].map { file in
            let pin = try identity.pin
            return site.client {
                $0.pinning = .of(nil, [pin])
                $0.certificateAuthorityFile = file
            }
        }
        for _ in 0..<2 {
            #expect(await trusting.ask().isAnswered)
            for stranger in strangers { #expect(await stranger.ask().distrust != nil) }
        }
        #expect(site.requests.count == 2)
    }
}
