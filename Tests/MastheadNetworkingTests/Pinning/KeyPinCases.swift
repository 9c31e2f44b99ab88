import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Keys of every sort, many at once, and what the error says.
@Suite("Pinning cases 46 and 48 to 50: keys, crowds and errors", .timeLimit(.minutes(2)))
struct KeyPinCases {
    private let root: CertificateAuthority

    init() throws {
        root = try CertificateAuthority(name: "Root")
    }

    @Test(
        "pinning case 46: a key of any sort has a digest, which the chain is known by",
        arguments: PrivateKey.Kind.allCases
    )
    func sorts(kind: PrivateKey.Kind) async throws {
        let middle = try root.intermediate(name: "Middle", key: .make(kind))
        let identity = try middle.issue(names: PinnedSite.names, key: .make(kind))
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate])
        #expect(try await site.ask(pins: [identity.pin]).isAnswered)
        #expect(try await site.ask(pins: [middle.certificate.pin]).isAnswered)
        let mismatch = try #require(try await site.ask(pins: [.ofNobody]).mismatch)
        #expect(mismatch.built.first == "\(try identity.pin.text) CN=localhost")
    }

    @Test("pinning case 48: 200 first requests at once with a wrong pin end in 200 mismatches, and nothing is sent")
    func crowd() async throws {
        let identity = try root.issue(names: PinnedSite.names)
        let site = try PinnedSite(identity, trusting: [root.certificate])
        let client = try site.client(pins: [.ofNobody])
        let outcomes = await withTaskGroup(of: PinnedOutcome.self) { group in
            for _ in 0..<200 { group.addTask { await client.ask() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 200)
        let mismatches = outcomes.compactMap(\.mismatch)
        #expect(mismatches.count == 200, "\(outcomes.filter { $0.mismatch == nil }.prefix(3))")
        #expect(mismatches.allSatisfy { $0.builtNames == ["localhost", "Root"] })
        #expect(site.receivedBytes == 0)
        #expect(site.requests.isEmpty)
    }

    @Test("pinning case 49: a pin in another letter case is another pin, and shares no connection with the right one")
    func letterCase() async throws {
        let identity = try root.issue(names: PinnedSite.names)
        let site = try PinnedSite(identity, trusting: [root.certificate])
        let text = try identity.pin.text
        // The last digit before the padding has bits that no byte takes: in the other case it is refused as none.
        let middle = text.dropFirst("sha256/".count).dropLast(2).map {
            $0.isLowercase ? $0.uppercased() : $0.lowercased()
        }
        let swapped = "sha256/" + middle.joined() + text.suffix(2)
        try #require(swapped != text && swapped.lowercased() == text.lowercased())
        func client(_ pin: String) -> PinnedClient {
            site.client {
                $0.pinning = .publicKeys([pin])
                $0.pinning?.allowsSinglePin = true
            }
        }

        #expect(await client(text).ask().isAnswered)
        let sent = site.receivedBytes
        #expect(await client(swapped).ask().mismatch?.expected == [swapped])
        #expect(site.receivedBytes == sent)
        #expect(await client(text).ask().isAnswered)
        #expect(site.requests.count == 2)
    }

    @Test(
        "pinning case 50: a broken-off handshake sends an alert, and the error names host, port, pins and both chains",
        arguments: [TLSServerSettings.Version.tls12, .tls13]
    )
    func report(version: TLSServerSettings.Version) async throws {
        let middle = try root.intermediate(name: "Middle")
        let identity = try middle.issue(names: PinnedSite.names)
        let site = try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate]) {
            $0.maximumVersion = version
        }
        let pins = [try Pin.ofNobody, try Pin.ofNobody]
        let mismatch = try #require(await site.ask(pins: pins).mismatch)
        try await site.allGone()

        #expect(mismatch.host == "localhost")
        #expect(mismatch.port == site.port)
        #expect(mismatch.expected == pins.map(\.text).sorted())
        let lines = [
            "\(try identity.pin.text) CN=localhost", "\(try middle.certificate.pin.text) CN=Middle",
            "\(try root.certificate.pin.text) CN=Root",
        ]
        #expect(mismatch.built == lines)
        #expect(mismatch.served == Array(lines.dropLast()))
        for line in lines + mismatch.expected { #expect("\(mismatch)".contains("\n  \(line)"), "\(mismatch)") }
        let passage = try #require(site.tls.passages.first)
        #expect(passage.alerts.count == 1 && passage.alerts != ["close notify"], "\(passage.alerts)")
        #expect(!passage.isAgreed)
    }
}
