import FoundationEssentials
import MastheadLock
import MastheadTesting
import MastheadTransport
import Testing

/// Bodies that are read as they come, and readers that do not.
@Suite("A stream's reader", .timeLimit(.minutes(5)))
struct TransportStreamTests {
    /// More than what the buffers of two sockets and our own hold together.
    private static let bound = 16 << 20

    @Test("case 24: holds the server back while he rests, for any time, and then gets all of it")
    func backPressure() async throws {
        let size = 64 << 20
        let sent = Lock(0)
        let server = try ScriptedServer { request in
            guard request.target == "/big" else { return .text("ok") }
            return .generated(byteCount: size) { range in
                sent.withLock { $0 = range.upperBound }
                return Data(repeating: UInt8(truncatingIfNeeded: range.lowerBound >> 16), count: range.count)
            }
        }
        let clock = TurnedClock()
        let transport = Transport.alone()
        var request = TransportRequest(url: "\(server.baseURL)/big")
        request.limits.idleTimeout = .seconds(30)
        let stream = try await transport.open(request, clock: clock)
        var received = try #require(try await stream.next()).count

        try await settle(server, transport) { sent.withLock { $0 } }
        #expect(sent.withLock { $0 } < Self.bound, "a reader that rests must hold the server back")

        clock.advance(by: .seconds(3600))
        #expect(await transport.counts().active == 1)
        while let piece = try await stream.next() { received += piece.count }
        #expect(received == size)
        #expect(sent.withLock { $0 } == size)
    }

    @Test("meets the deadline of the whole exchange though he rests")
    func deadline() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("abcd").held(until: gate, afterBodyBytes: 2))
        let clock = TurnedClock()
        var request = TransportRequest(url: "\(server.baseURL)/")
        request.limits.totalTimeout = .seconds(60)
        let stream = try await Transport().open(request, clock: clock)
        #expect(try await stream.next() == Data("ab".utf8))
        clock.advance(by: .seconds(60))
        await #expect(throws: TransportError.totalTimeout) { try await stream.next() }
        await #expect(throws: TransportError.totalTimeout, "and again") { try await stream.next() }
        try await server.closedConnections(count: 1)
    }

    @Test("case 24: learns of a server that stalls, by the idle time-out, after what came before")
    func idle() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("abcd").held(until: gate, afterBodyBytes: 2))
        let clock = TurnedClock()
        var request = TransportRequest(url: "\(server.baseURL)/")
        request.limits.idleTimeout = .seconds(30)
        let stream = try await Transport().open(request, clock: clock)
        #expect(try await stream.next() == Data("ab".utf8))
        clock.advance(by: .seconds(31))
        await #expect(throws: TransportError.idleTimeout) { try await stream.next() }
    }

    @Test("gets nothing more once his task is cancelled, though there were bytes, and never an end that looks whole")
    func cancelledKeepsNothing() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.generated(byteCount: 1000))
        let stream = try await Transport().open(TransportRequest(url: "\(server.baseURL)/"))
        let task = Task {
            while !gate.isOpen { await Task.yield() }
            return try await stream.next()
        }
        task.cancel()
        gate.open()
        await #expect(throws: TransportError.cancelled) { try await task.value }
        await #expect(throws: TransportError.cancelled) { try await stream.next() }
    }

    @Test("leaves nothing behind, wherever he lets go")
    func leavesNothing() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { request in
            switch request.target {
            case "/whole": .text("abcd")
            case "/gzip": .data(Gzip.member([1, 2, 3])).adding("gzip", for: "Content-Encoding")
            case "/corrupt": .text("no gzip").adding("gzip", for: "Content-Encoding")
            case "/endless": .generated(byteCount: 1 << 30)
            default: .text("abcd").held(until: gate, afterBodyBytes: 2)
            }
        }
        let transport = Transport.alone()
        let probe = WeakProbes()
        let base = server.baseURL
        @Sendable func open(_ path: String) async throws(TransportError) -> TransportStream {
            var request = TransportRequest(url: "\(base)\(path)")
            request.limits.places.connections = 100
            return try await transport.open(request, clock: ProbedClock(token: probe.makeToken()))
        }

        for _ in 0..<200 {
            // Dropped before the first read, and after it.
            for path in ["/whole", "/gzip", "/held", "/endless"] { _ = try await open(path) }
            for path in ["/held", "/endless"] { _ = try await open(path).next() }
            // Read to its end, or to what broke it.
            let whole = try await open("/whole")
            while try await whole.next() != nil {}
            let corrupt = try await open("/corrupt")
            await #expect(throws: TransportError.self) { while try await corrupt.next() != nil {} }
            // Cancelled while it waits for more.
            let held = try await open("/held")
            #expect(try await held.next() == Data("ab".utf8))
            let task = Task { try await held.next() }
            await Task.yield()
            task.cancel()
            await #expect(throws: TransportError.cancelled) { try await task.value }
            // Cancelled while it is opened.
            let opening = Task { try await open("/held") }
            opening.cancel()
            _ = await opening.result
        }

        while await transport.counts().active > 0 { await Task.yield() }
        #expect(await transport.counts().waiting == 0)
        #expect(probe.alive == 0, "what an exchange held is still held")
    }

    /// Waits until a number no longer changes while the loop and the server do other work.
    private func settle(_ server: ScriptedServer, _ transport: Transport, _ number: () -> Int) async throws {
        var last = number()
        var rounds = 0
        while rounds < 50 {
            _ = try await transport.perform(TransportRequest(url: "\(server.baseURL)/small"))
            rounds = number() == last ? rounds + 1 : 0
            last = number()
        }
    }
}

/// A clock that keeps a token alive for as long as its exchange holds it.
private struct ProbedClock: TransportClock {
    let token: WeakProbes.Token

    var now: Duration { SystemTransportClock().now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { [token] in withExtendedLifetime(token) {} }
    }
}
