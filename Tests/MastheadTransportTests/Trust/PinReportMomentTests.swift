import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

/// When what pins refuse is told: once, and not before it is the end.
@Suite("The report of a refusal", .timeLimit(.minutes(1)))
struct PinReportMomentTests {
    /// A way in which a request comes to a server that was asked before.
    enum Way: CaseIterable {
        case keptHTTP1, keptHTTP2, resumedTLS12, resumedTLS13
    }

    /// A server that is reached in such a way, and can show another key.
    private struct Server {
        let pinned: PinnedServer
        let tls: ServerTLS
        let http1: ScriptedServer?
        let http2: HTTP2Server?
        let settings: TLSServerSettings

        init(_ way: Way) throws {
            pinned = try PinnedServer()
            var settings = TLSServerSettings(pinned.identity)
            if way == .keptHTTP2 { settings.protocols = ["h2"] }
            if way == .resumedTLS12 { settings.maximumVersion = .tls12 }
            // Known to the next certificate too, so that sessions outlive the change.
            settings.ticketKeys = try SecureRandom.bytes(count: 80)
            self.settings = settings
            tls = try ServerTLS(settings, trusting: [pinned.root.certificate])
            http2 = way == .keptHTTP2 ? try HTTP2Server(tls: tls) : nil
            let isClosing = way == .resumedTLS12 || way == .resumedTLS13
            http1 =
                way == .keptHTTP2
                ? nil : try ScriptedServer(secured: tls) { _ in isClosing ? .text("").closing() : .text("") }
        }

        var url: String { "https://127.0.0.1:\(http1?.port ?? http2?.port ?? 0)/" }

        /// Shows another key from now on, and gives its pin.
        func rotate() throws -> Pin {
            let next = try pinned.intermediate.issue(names: [], addresses: ["127.0.0.1"])
            var settings = settings
            settings.identity = next
            try tls.serve(settings)
            return .publicKey(try next.certificate.publicKeyDigest())
        }
    }

    @Test(
        "is not made where key and pins were changed together, and once where they don't fit",
        arguments: Way.allCases
    )
    func isMadeOnce(way: Way) async throws {
        let server = try Server(way)
        let (events, sink) = AsyncStream.makeStream(of: PinEvent.self)
        let store = PinStore(try PinnedServer.pins(try server.pinned.pins[0]))
        let transport = server.pinned.transport(.store(store)) {
            $0.certificateAuthorityFile = server.tls.authorityPath
            $0.pinReporter = PinReporter { sink.yield($0) }
        }
        let request = TransportRequest(url: server.url)

        #expect(await failure(transport, request) == nil)
        let next = try server.rotate()
        store.replace(with: try PinnedServer.pins(next))
        #expect(await failure(transport, request) == nil)
        store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        let refusal = await failure(transport, request)?.pinFailure
        store.replace(with: try PinnedServer.pins(PinnedServer.strange, isEnforced: false))
        #expect(await failure(transport, request) == nil)

        // Told apart from what only lets through, which is told last.
        var told: [PinEvent] = []
        for await event in events.prefix(2) { told.append(event) }
        #expect(told.map(\.isRefused) == [true, false])
        #expect(told.first?.failure == refusal)
        #expect(told.first?.failure.built.first == "\(next.text) CN=127.0.0.1")
        // It was met on the way of the case.
        let resumed = server.tls.passages.map(\.isResumed)
        #expect(resumed.contains(true) == (way == .resumedTLS12 || way == .resumedTLS13), "\(resumed)")
    }

    @Test("is made once too where a proxy has TLS of its own, so that nothing is judged at the handshake")
    func isMadeBehindProxy() async throws {
        let pinned = try PinnedServer()
        let proxyIdentity = try pinned.root.issue(names: ["localhost"], addresses: ["127.0.0.1"])
        let proxyTLS = try ServerTLS(TLSServerSettings(proxyIdentity), trusting: [pinned.root.certificate])
        let proxy = try ScriptedProxy(.https, target: pinned.server.port, tls: proxyTLS)
        var route = TransportRoute()
        route.proxy = .init(url: "https://127.0.0.1:\(proxy.port)")
        let (events, sink) = AsyncStream.makeStream(of: PinEvent.self)
        let store = PinStore(try PinnedServer.pins(PinnedServer.strange))
        let policy = pinned.policy(.store(store)) { $0.pinReporter = PinReporter { sink.yield($0) } }
        let transport = Transport(policy: policy, route: route)
        let request = TransportRequest(url: pinned.url)

        #expect(await failure(transport, request)?.pinFailure != nil)
        store.replace(with: try PinnedServer.pins(PinnedServer.strange, isEnforced: false))
        #expect(await failure(transport, request) == nil)

        var told: [PinEvent] = []
        for await event in events.prefix(2) { told.append(event) }
        #expect(told.map(\.isRefused) == [true, false])
    }

    @Test("is made of a connection too of which no chain is known")
    func unknownChain() async throws {
        let (events, sink) = AsyncStream.makeStream(of: PinEvent.self)
        var policy = TrustPolicy()
        policy.pins = .fixed(try PinnedServer.pins(PinnedServer.strange))
        policy.pinReporter = PinReporter { sink.yield($0) }
        let trust = LoopTrust(policy)
        let origin = try #require(Origin(url: "https://127.0.0.1:443/"))

        let refusal = try #require(trust.refusal(of: nil, to: origin))
        #expect(refusal.failure.reason == .unknownChain)
        #expect(refusal.failure.expected == [PinnedServer.strange.text])
        trust.report(refusal)

        for await event in events.prefix(1) {
            #expect(event.failure == refusal.failure)
            #expect(event.isRefused)
            #expect(event.host?.name == "127.0.0.1")
            #expect(event.chain.isEmpty)
        }
    }
}
