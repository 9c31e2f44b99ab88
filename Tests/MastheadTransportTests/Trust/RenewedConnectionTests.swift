import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

/// What becomes of an HTTP/2 connection that serves exchanges when other pins refuse it.
@Suite("A connection that pins refuse while it serves others", .timeLimit(.minutes(1)))
struct RenewedConnectionTests {
    /// A server whose first connection serves one exchange until a gate is opened.
    private struct Server {
        let pinned: PinnedServer
        let tls: ServerTLS
        let http2: HTTP2Server
        let gate = ScriptedServer.Gate()
        let store: PinStore
        private let settings: TLSServerSettings

        init() throws {
            pinned = try PinnedServer()
            var settings = TLSServerSettings(pinned.identity)
            settings.protocols = ["h2"]
            self.settings = settings
            tls = try ServerTLS(settings, trusting: [pinned.root.certificate])
            http2 = try HTTP2Server(
                [.wholeRequest, .head(status: 200), .data("old"), .gate(gate), .data("est", isLast: true)],
                tls: tls
            )
            store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
        }

        func policy(_ change: (inout TrustPolicy) -> Void = { _ in }) -> TrustPolicy {
            pinned.policy(.store(store)) {
                $0.certificateAuthorityFile = tls.authorityPath
                change(&$0)
            }
        }

        func transport(_ change: (inout TrustPolicy) -> Void = { _ in }) -> Transport {
            Transport(policy: policy(change))
        }

        var request: TransportRequest { TransportRequest(url: "https://127.0.0.1:\(http2.port)/") }

        /// Begins the exchange that waits for the gate.
        func begin(_ transport: Transport) async throws -> Task<TransportResponse, any Error> {
            let task = Task { try await transport.perform(request) }
            try await gate.waiters(count: 1)
            return task
        }

        /// Shows another key from now on, which is pinned.
        func rotate() throws {
            let next = try pinned.intermediate.issue(names: [], addresses: ["127.0.0.1"])
            var settings = settings
            settings.identity = next
            try tls.serve(settings)
            store.replace(with: try PinnedServer.pins(.publicKey(try next.certificate.publicKeyDigest())))
        }
    }

    private func failures(_ count: Int, _ transport: Transport, _ request: TransportRequest) async -> [TransportError?]
    {
        await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<count { group.addTask { await failure(transport, request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("takes no more requests, and those that it serves end well; the others share a new one")
    func endsWell() async throws {
        let server = try Server()
        let transport = server.transport()
        let first = try await server.begin(transport)

        try server.rotate()
        let others = await failures(20, transport, server.request)
        #expect(others.allSatisfy { $0 == nil }, "\(others.compactMap(\.self))")
        #expect(server.http2.requests.map(\.connection) == [0] + Array(repeating: 1, count: 20))

        server.gate.open()
        #expect(try await first.value.body == Data("oldest".utf8))
        // It is closed when it has served them.
        try await server.http2.closedConnections(count: 1)
        #expect(await failure(transport, server.request) == nil)
        #expect(server.http2.connectionCount == 2)
        #expect(server.http2.requests.last?.connection == 1)
    }

    @Test("is closed too if the one that it serves is cancelled")
    func isClosedAfterCancellation() async throws {
        let server = try Server()
        let transport = server.transport()
        let first = try await server.begin(transport)
        try server.rotate()
        #expect(await failure(transport, server.request) == nil)

        first.cancel()
        #expect(await outcome(first) == .cancelled)
        server.gate.open()
        try await server.http2.closedConnections(count: 1)
        #expect(await failure(transport, server.request) == nil)
        #expect(server.http2.requests.map(\.connection) == [0, 1, 1])
    }

    @Test("is closed at once if it serves none")
    func isClosedAtOnce() async throws {
        let server = try Server()
        server.gate.open()
        let transport = server.transport()
        #expect(await failure(transport, server.request) == nil)
        try server.rotate()

        let others = await failures(20, transport, server.request)
        #expect(others.allSatisfy { $0 == nil }, "\(others.compactMap(\.self))")
        try await server.http2.closedConnections(count: 1)
        #expect(server.http2.requests.map(\.connection) == [0] + Array(repeating: 1, count: 20))
    }

    @Test("leaves the others refused, each of them told once, if no new one is better")
    func refusesAll() async throws {
        let server = try Server()
        let (events, sink) = AsyncStream.makeStream(of: PinEvent.self)
        let transport = server.transport { $0.pinReporter = PinReporter { sink.yield($0) } }
        let first = try await server.begin(transport)

        server.store.replace(with: try PinnedServer.pins(PinnedServer.strange))
        let others = await failures(20, transport, server.request)
        #expect(others.count { $0?.pinFailure?.reason == .mismatch } == 20, "\(others)")
        server.store.replace(with: try PinnedServer.pins(PinnedServer.strange, isEnforced: false))
        #expect(await failure(transport, server.request) == nil)

        var told: [PinEvent] = []
        for await event in events.prefix(21) { told.append(event) }
        #expect(told.count(where: \.isRefused) == 20)
        server.gate.open()
        #expect(try await first.value.body == Data("oldest".utf8))
        #expect(server.http2.requests.count == 2)
    }

    @Test("may be refused again and again, as often as pins are changed")
    func changesOften() async throws {
        let server = try Server()
        let transport = server.transport()
        let first = try await server.begin(transport)
        for connection in 1...5 {
            try server.rotate()
            let others = await failures(5, transport, server.request)
            #expect(others.allSatisfy { $0 == nil }, "\(others.compactMap(\.self))")
            let connections = server.http2.requests.suffix(5).map(\.connection)
            #expect(connections.allSatisfy { $0 == connection }, "\(connections), not \(connection)")
        }
        server.gate.open()
        #expect(try await first.value.body == Data("oldest".utf8))
        try await server.http2.closedConnections(count: 5)
    }

    // MARK: Waiting for the new one

    private func waiting(_ count: Int, _ transport: Transport) async {
        while await transport.counts().waiting != count { await Task.yield() }
    }

    @Test(
        "lets others wait for whoever makes the new one; if that one goes away, the next one makes it",
        arguments: [true, false]
    )
    func nextOneConnects(isCancelled: Bool) async throws {
        let server = try Server()
        // The second connection leads to nobody who says a word.
        let proxy = try ScriptedProxy(.http, target: server.http2.port, exceptions: [1: .silence])
        var route = TransportRoute()
        route.proxy = .init(url: "http://127.0.0.1:\(proxy.port)")
        let transport = Transport(policy: server.policy(), route: route)
        let first = try await server.begin(transport)
        try server.rotate()

        let clock = TurnedClock()
        var limited = server.request
        limited.limits.totalTimeout = .seconds(10)
        let leader = Task { [limited] in try await transport.perform(limited, clock: clock) }
        try await proxy.visits(count: 2)
        let others = Task { await failures(5, transport, server.request) }
        let idler = Task { try await transport.perform(server.request) }
        await waiting(6, transport)
        idler.cancel()
        #expect(await outcome(idler) == .cancelled)
        await waiting(5, transport)
        if isCancelled { leader.cancel() } else { clock.advance(by: .seconds(10)) }
        #expect(await outcome(leader) == (isCancelled ? .cancelled : .totalTimeout))

        #expect(await others.value == [nil, nil, nil, nil, nil])
        #expect(server.http2.requests.map(\.connection) == [0, 1, 1, 1, 1, 1])
        server.gate.open()
        #expect(try await first.value.body == Data("oldest".utf8))
        let counts = await transport.counts()
        #expect(counts.active == 0 && counts.waiting == 0)
    }
}
