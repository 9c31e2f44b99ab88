import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// A handshake is not the only way to a connection.
@Suite("Pinning cases 24 to 28: kept connections and resumed sessions", .timeLimit(.minutes(1)))
struct ReusePinCases {
    private let root: CertificateAuthority
    private let middle: CertificateAuthority
    private let identity: Identity

    init() throws {
        root = try CertificateAuthority(name: "Root")
        middle = try root.intermediate(name: "Middle")
        identity = try middle.issue(names: PinnedSite.names, addresses: PinnedSite.addresses)
    }

    private func site(
        _ set: (inout TLSServerSettings) -> Void = { _ in },
        isClosing: Bool = false
    ) throws -> PinnedSite {
        try PinnedSite(identity, chain: [middle.certificate], trusting: [root.certificate], set) { request in
            isClosing ? .text(request.target).closing() : .text(request.target)
        }
    }

    private func settings(_ identity: Identity) -> TLSServerSettings {
        var settings = TLSServerSettings(identity)
        settings.chain = [middle.certificate]
        return settings
    }

    // MARK: Kept connections

    @Test("pinning case 24: a request without pins, then one of another client with a wrong pin")
    func otherClient() async throws {
        let site = try site()
        let unpinned = site.client { _ in }
        #expect(await unpinned.ask().isAnswered)
        let sent = site.receivedBytes
        let wrong = try site.client(pins: [.ofNobody])
        #expect(await wrong.ask().mismatch?.builtNames == ["localhost", "Middle", "Root"])
        #expect(site.receivedBytes == sent)
        #expect(site.requests.count == 1)
        #expect(await unpinned.ask().isAnswered)
    }

    @Test(
        "pinning case 24: a request without pins, then one with a wrong pin that would go over the same live connection"
    )
    func liveConnection() async throws {
        let site = try site()
        let pins = ReplaceablePinning(try .ofOthers)
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        #expect(await client.ask().isAnswered)
        // Both went over one connection, so would the next.
        #expect(Set(site.requests.map(\.connection)) == [0])
        let sent = site.receivedBytes

        try pins.replace(with: .of(nil, [.ofNobody]))

        let failure = try #require(await client.ask().mismatch)
        #expect(failure.builtNames == ["localhost", "Middle", "Root"])
        #expect(site.receivedBytes == sent)
        #expect(site.requests.count == 2)
    }

    @Test("pinning case 28: the pins are tightened while connections idle: the next request is judged by the new ones")
    func tightened() async throws {
        let site = try site()
        let pins = ReplaceablePinning(.of(nil, [try identity.pin]))
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        let sent = site.receivedBytes

        try pins.replace(with: .of(nil, [.ofNobody]))
        #expect(await client.ask().mismatch != nil)
        // The connection that the old pins had allowed is not kept for later.
        try await site.allGone()
        #expect(site.receivedBytes == sent)

        try pins.replace(with: .of(nil, [middle.certificate.pin]))
        #expect(await client.ask().isAnswered)
        #expect(site.requests.map(\.connection).last != 0)
    }

    @Test("pinning case 28: pins that the kept connection fulfils need no other connection")
    func stillRight() async throws {
        let site = try site()
        let pins = ReplaceablePinning(try .ofOthers)
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        try pins.replace(with: .of(nil, [middle.certificate.pin]))
        #expect(await client.ask().isAnswered)
        #expect(site.server.connectionCount == 1)
    }

    @Test(
        "pinning case 28: the pins and the server's key were changed together: the kept connection is given up for a new one"
    )
    func rotated() async throws {
        let site = try site()
        let (events, sink) = AsyncStream.makeStream(of: PinningEvent.self)
        var first = CertificatePinning.of(nil, [try identity.pin])
        first.onEvent = { sink.yield($0) }
        let pins = ReplaceablePinning(first)
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        let next = try middle.issue(names: PinnedSite.names)
        try site.tls.serve(settings(next))

        try pins.replace(with: .of(nil, [next.pin]))

        #expect(await client.ask().isAnswered)
        #expect(site.requests.map(\.connection) == [0, 1])

        // Only what is a mismatch on a new connection too is told, and once.
        try pins.replace(with: .of(nil, [.ofNobody]))
        let mismatch = try #require(await client.ask().mismatch)
        try pins.replace(with: .of(nil, [.ofNobody]) { $0.isEnforced = false })
        #expect(await client.ask().isAnswered)
        var told: [PinningEvent] = []
        for await event in events.prefix(2) { told.append(event) }
        #expect(told.map(\.isRefused) == [true, false])
        #expect(told.first?.mismatch == mismatch)
    }

    // MARK: Resumed sessions

    @Test(
        "pinning cases 25 and 26: a session of TLS 1.2 or 1.3 is resumed with a wrong pin",
        arguments: [TLSServerSettings.Version.tls12, .tls13],
        [TLSServerSettings.Resumption.tickets, .identifiers]
    )
    func resumedWrong(version: TLSServerSettings.Version, resumption: TLSServerSettings.Resumption) async throws {
        let site = try site(
            {
                $0.maximumVersion = version
                $0.resumption = resumption
            },
            isClosing: true
        )
        let pins = ReplaceablePinning(try .ofOthers)
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        #expect(await client.ask().isAnswered)
        // The second went on with the first's session, so would the next.
        #expect(site.tls.passages.map(\.isResumed) == [false, true])
        let sent = site.receivedBytes

        try pins.replace(with: .of(nil, [.ofNobody]))

        let failure = try #require(await client.ask().mismatch)
        #expect(failure.builtNames == ["localhost", "Middle", "Root"])
        try await site.allGone()
        #expect(site.receivedBytes == sent)
        #expect(site.requests.count == 2)
        // A right pin lets requests through again.
        try pins.replace(with: .of(nil, [identity.pin]))
        #expect(await client.ask().isAnswered)
    }

    @Test(
        "pinning case 26: a session that began with an earlier key is resumed, and the new key is pinned: asked anew, without it",
        arguments: [TLSServerSettings.Version.tls13]
    )
    func resumedOfEarlierKey(version: TLSServerSettings.Version) async throws {
        let keys = try SecureRandom.bytes(count: 80)
        let site = try site(
            {
                $0.maximumVersion = version
                $0.ticketKeys = keys
            },
            isClosing: true
        )
        let pins = ReplaceablePinning(.of(nil, [try identity.pin]))
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        let next = try middle.issue(names: PinnedSite.names)
        var settings = settings(next)
        settings.maximumVersion = version
        settings.ticketKeys = keys
        try site.tls.serve(settings)
        #expect(await client.ask().isAnswered)
        #expect(site.tls.passages.map(\.isResumed) == [false, true])

        try pins.replace(with: .of(nil, [next.pin]))

        #expect(await client.ask().isAnswered)
        try await site.allGone()
        // The session's connection got nothing.
        #expect(site.tls.passages.map(\.isResumed) == [false, true, true, false])
        #expect(site.tls.passages.map { $0.receivedBytes > 0 } == [true, true, false, true])

        // Nobody goes on with the earlier key's session any more, but with one of the new key's.
        for _ in 0..<2 { #expect(await client.ask().isAnswered) }
        try await site.allGone()
        #expect(site.tls.passages.map(\.isResumed).dropFirst(4) == [false, true])
    }

    @Test(
        "pinning case 27: a session is resumed with a right pin, of leaf, intermediate or root, without a full handshake",
        arguments: [TLSServerSettings.Version.tls12, .tls13],
        0...2
    )
    func resumedRight(version: TLSServerSettings.Version, place: Int) async throws {
        let site = try site({ $0.maximumVersion = version }, isClosing: true)
        let pin = try [identity.certificate, middle.certificate, root.certificate][place].pin
        let client = site.client(pins: [pin])
        for _ in 0..<3 { #expect(await client.ask().isAnswered) }
        #expect(site.tls.passages.map(\.isResumed) == [false, true, true])
        #expect(site.requests.count == 3)
    }

    @Test(
        "pinning case 27: a session that began without pins is resumed with a right one",
        arguments: [TLSServerSettings.Version.tls12, .tls13]
    )
    func resumedUnpinned(version: TLSServerSettings.Version) async throws {
        let site = try site({ $0.maximumVersion = version }, isClosing: true)
        let pins = ReplaceablePinning(try .ofOthers)
        let client = site.client { $0.replaceablePinning = pins }
        #expect(await client.ask().isAnswered)
        try pins.replace(with: .of(nil, [root.certificate.pin]))
        #expect(await client.ask().isAnswered)
        #expect(site.tls.passages.map(\.isResumed) == [false, true])
    }
}
