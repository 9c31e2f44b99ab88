import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

@Suite("A pinned exchange", .timeLimit(.minutes(1)))
struct PinnedExchangeTests {
    @Test("gets its answer if any certificate of the chain has the pin", arguments: 0..<3)
    func accepts(index: Int) async throws {
        let pinned = try PinnedServer()
        let pin = try pinned.pins[index]
        let transport = pinned.transport(.fixed(try PinnedServer.pins(pin, PinnedServer.strange)))

        for _ in 0..<2 {
            #expect(try await transport.perform(TransportRequest(url: pinned.url)).body == Data("answer".utf8))
        }
        #expect(pinned.server.requests.map(\.connection) == [0, 0])
    }

    @Test("by the certificate itself gets its answer, and none by another's")
    func acceptsCertificate() async throws {
        let pinned = try PinnedServer()
        let pin = Pin.certificate(try pinned.identity.certificate.digest())
        let wrong = Pin.certificate(try pinned.identity.certificate.publicKeyDigest())

        let request = TransportRequest(url: pinned.url)
        #expect(await failure(pinned.transport(.fixed(try PinnedServer.pins(pin))), request) == nil)
        #expect(await failure(pinned.transport(.fixed(try PinnedServer.pins(wrong))), request)?.pinFailure != nil)
    }

    @Test("is refused at the handshake with all there is to know, and nothing is sent")
    func refuses() async throws {
        let stranger = try CertificateAuthority(name: "Stranger")
        let pinned = try PinnedServer { $0.chain.append(stranger.certificate) }
        let wrong = Pin.publicKey(try stranger.certificate.publicKeyDigest())
        let transport = pinned.transport(.fixed(try PinnedServer.pins(PinnedServer.strange, wrong)))

        let failed = await failure(transport, TransportRequest(url: pinned.url))

        let refusal = try #require(failed?.pinFailure)
        #expect(refusal.reason == .mismatch)
        #expect(refusal.host == "127.0.0.1")
        #expect(refusal.port == pinned.server.port)
        #expect(refusal.expected == [PinnedServer.strange.text, wrong.text].sorted())
        let texts = try pinned.pins.map(\.text)
        #expect(refusal.built == ["\(texts[0]) CN=localhost", "\(texts[1]) CN=Intermediate", "\(texts[2]) CN=Root"])
        // What is only sent is shown, and proves nothing.
        #expect(refusal.served == Array(refusal.built[..<2]) + ["\(wrong.text) CN=Stranger"])
        try await pinned.server.closedConnections(count: 1)
        #expect(pinned.server.requests.isEmpty)
        #expect(pinned.tls.passages.count == 1)
        #expect(pinned.tls.passages.allSatisfy { $0.receivedBytes == 0 })
        // Refused while they agreed, rather than just before the request.
        #expect(pinned.tls.passages.first?.isAgreed == false)
        #expect(pinned.tls.passages.first?.alerts.contains { $0 != "close notify" } == true)
    }

    @Test("goes by no kept connection whose server the pins of now refuse, over HTTP/1.1")
    func refusesKeptConnection() async throws {
        let pinned = try PinnedServer()
        let store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
        let transport = pinned.transport(.store(store))
        let request = TransportRequest(url: pinned.url)

        #expect(await failure(transport, request) == nil)
        store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        #expect(await failure(transport, request)?.pinFailure?.reason == .mismatch)
        store.replace(with: try PinnedServer.pins(try pinned.pins[2]))
        #expect(await failure(transport, request) == nil)

        #expect(pinned.server.requests.count == 2)
        // The kept one, which went on with its session, one made anew, and the last.
        #expect(pinned.tls.passages.filter { $0.receivedBytes > 0 }.map(\.connection).count == 2)
    }

    @Test("stays on a kept connection whose server the pins of now accept too")
    func keepsConnection() async throws {
        let pinned = try PinnedServer()
        let store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
        let transport = pinned.transport(.store(store))

        for index in [0, 1, 2] {
            store.replace(with: try PinnedServer.pins(try pinned.pins[index]))
            #expect(await failure(transport, TransportRequest(url: pinned.url)) == nil)
        }
        #expect(pinned.server.requests.map(\.connection) == [0, 0, 0])
    }

    @Test("goes by no kept connection whose server the pins of now refuse, over HTTP/2")
    func refusesKeptHTTP2Connection() async throws {
        let pinned = try PinnedServer()
        var settings = TLSServerSettings(pinned.identity)
        settings.protocols = ["h2"]
        let tls = try ServerTLS(settings, trusting: [pinned.root.certificate])
        let server = try HTTP2Server(tls: tls)
        let store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
        let transport = pinned.transport(.store(store)) { $0.certificateAuthorityFile = tls.authorityPath }
        let request = TransportRequest(url: "https://127.0.0.1:\(server.port)/")

        #expect(await failure(transport, request) == nil)
        store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        for _ in 0..<3 { #expect(await failure(transport, request)?.pinFailure?.reason == .mismatch) }
        store.replace(with: try PinnedServer.pins(try pinned.pins[1]))
        for _ in 0..<3 { #expect(await failure(transport, request) == nil) }

        // The first connection was shut, and the next one that is right is kept.
        let connections = server.requests.map(\.connection)
        #expect(connections.count == 4)
        #expect(connections[0] == 0)
        #expect(Set(connections[1...]).count == 1)
        #expect(connections[1] != 0)
    }

    @Test(
        "that goes on with a TLS session is judged by what was verified for that",
        arguments: [TLSServerSettings.Version.tls12, .tls13]
    )
    func judgesResumption(version: TLSServerSettings.Version) async throws {
        let pinned = try PinnedServer({ $0.maximumVersion = version }, answer: { _ in .text("answer").closing() })
        let store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
        let transport = pinned.transport(.store(store))
        let request = TransportRequest(url: pinned.url)

        #expect(await failure(transport, request) == nil)
        // The root was never sent, and of the resumed connection nothing is.
        store.replace(with: try PinnedServer.pins(try pinned.pins[2]))
        #expect(await failure(transport, request) == nil)
        store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        #expect(await failure(transport, request)?.pinFailure?.reason == .mismatch)
        try await pinned.server.closedConnections(count: 4)

        #expect(pinned.server.requests.count == 2)
        #expect(pinned.tls.passages.map(\.isResumed) == [false, true, true, false])
        #expect(pinned.tls.passages.map { $0.receivedBytes > 0 } == [true, true, false, false])
    }

    @Test("through a proxy with TLS of its own is judged by its server alone")
    func judgesBehindProxy() async throws {
        let pinned = try PinnedServer()
        let proxyIdentity = try pinned.root.issue(names: ["localhost"], addresses: ["127.0.0.1"])
        let proxyTLS = try ServerTLS(TLSServerSettings(proxyIdentity), trusting: [pinned.root.certificate])
        let proxy = try ScriptedProxy(.https, target: pinned.server.port, tls: proxyTLS)
        var route = TransportRoute()
        route.proxy = .init(url: "https://127.0.0.1:\(proxy.port)")
        let request = TransportRequest(url: pinned.url)
        func transport(_ pin: Pin) throws -> Transport {
            Transport(policy: pinned.policy(.fixed(try PinnedServer.pins(pin))), route: route)
        }

        #expect(await failure(try transport(try pinned.pins[0]), request) == nil)
        let proxysOwn = Pin.publicKey(try proxyIdentity.certificate.publicKeyDigest())
        #expect(await failure(try transport(proxysOwn), request)?.pinFailure?.reason == .mismatch)
        #expect(pinned.server.requests.count == 1)
        #expect(proxy.visits.count == 2)
    }

    @Test("to a host without pins gets its answer, unless every host must have some")
    func judgesUnpinnedHost() async throws {
        let pinned = try PinnedServer()
        let host = try PinnedHost("example.com", pins: [PinnedServer.strange])
        let request = TransportRequest(url: pinned.url)

        #expect(await failure(pinned.transport(.fixed(PinPolicy(hosts: [host]))), request) == nil)
        let strict = PinPolicy(hosts: [host], allowsUnpinnedHosts: false)
        #expect(await failure(pinned.transport(.fixed(strict)), request)?.pinFailure?.reason == .unpinnedHost)
        #expect(pinned.server.requests.count == 1)
    }

    @Test("tells its reporter once for a connection of pins that are not met, and of pins that are over")
    func reports() async throws {
        let pinned = try PinnedServer()
        let (events, sink) = AsyncStream.makeStream(of: PinEvent.self)
        let reporter = PinReporter { sink.yield($0) }
        let lax = try PinnedServer.pins(PinnedServer.strange, isEnforced: false)
        let over = PinPolicy(hosts: [
            try PinnedHost("127.0.0.1", pins: [PinnedServer.strange], expiry: Date(timeIntervalSince1970: 1))
        ])
        let store = PinStore(lax)
        let transport = pinned.transport(.store(store)) { $0.pinReporter = reporter }
        let request = TransportRequest(url: pinned.url)

        for _ in 0..<3 { #expect(await failure(transport, request) == nil) }
        store.replace(with: over)
        for _ in 0..<3 { #expect(await failure(transport, request) == nil) }
        store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        #expect(await failure(transport, request)?.pinFailure != nil)

        var reported: [PinEvent] = []
        for await event in events.prefix(3) { reported.append(event) }
        #expect(reported.map(\.failure.reason) == [.mismatch, .expired, .mismatch])
        #expect(reported.map(\.isRefused) == [false, false, true])
        #expect(reported.first?.host == lax.hosts.first)
        #expect(reported.first?.chain.count == 3)
        #expect(reported.first?.chain.first == (try pinned.identity.certificate.pem()))
    }

    @Test("is judged anew when its pins are over, on the same connection too")
    func expires() async throws {
        let pinned = try PinnedServer()
        let clock = TurnedDate(Date(timeIntervalSince1970: 1000))
        let host = try PinnedHost(
            "127.0.0.1",
            pins: [try pinned.pins[0]],
            expiry: Date(timeIntervalSince1970: 2000),
            failsWhenExpired: true
        )
        let transport = pinned.transport(.fixed(PinPolicy(hosts: [host]))) {
            $0.pinReporter = PinReporter(clock: { clock.date }) { _ in }
        }
        let request = TransportRequest(url: pinned.url)

        #expect(await failure(transport, request) == nil)
        clock.turn(to: Date(timeIntervalSince1970: 2000))
        #expect(await failure(transport, request)?.pinFailure?.reason == .expired)
        #expect(pinned.server.requests.count == 1)
    }

    @Test("of two hundred at once, with a wrong pin, each is refused")
    func refusesMany() async throws {
        let pinned = try PinnedServer()
        let transport = pinned.transport(.fixed(try PinnedServer.pins(PinnedServer.strange)))
        let url = pinned.url

        let failures = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<200 { group.addTask { await failure(transport, TransportRequest(url: url)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(failures.count == 200)
        #expect(failures.allSatisfy { $0?.pinFailure?.reason == .mismatch })
        #expect(pinned.server.requests.isEmpty)
    }
}
