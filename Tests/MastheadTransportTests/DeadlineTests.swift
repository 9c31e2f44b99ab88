import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Time-outs, by a clock that is turned by hand.
@Suite(.timeLimit(.minutes(1)))
struct DeadlineTests {
    private func request(_ server: ScriptedServer, idle: Duration = .seconds(30), total: Duration? = nil)
        -> TransportRequest
    {
        var request = TransportRequest(url: server.baseURL.absoluteString + "/")
        request.limits.idleTimeout = idle
        request.limits.totalTimeout = total
        request.limits.places.connections = 1
        return request
    }

    @Test("ends when nothing has moved for the idle time, and not before")
    func endsIdle() async throws {
        let server = try ScriptedServer(.never)
        let clock = TurnedClock()
        let request = request(server)
        let task = Task { try await Transport().perform(request, clock: clock) }
        _ = try await server.request(0)
        clock.advance(by: .seconds(29))
        // An exchange after the turn has passed through the loop after it.
        let other = try ScriptedServer(.text("ok"))
        _ = try await Transport().perform(TransportRequest(url: other.baseURL.absoluteString + "/"))
        #expect(server.openConnectionCount == 1)
        clock.advance(by: .seconds(31))
        #expect(await outcome(task) == .idleTimeout)
        try await server.closedConnections(count: 1)
    }

    @Test("does not end while bytes trickle in, however long that takes")
    func livesOnTrickle() async throws {
        let gates = (0..<4).map { _ in ScriptedServer.Gate() }
        var answer = ScriptedServer.Answer.text("abcd")
        for (index, gate) in gates.enumerated() { answer = answer.held(until: gate, afterBodyBytes: index) }
        let server = try ScriptedServer(answer)
        let clock = TurnedClock()
        let request = request(server)
        let task = Task { try await Transport().perform(request, clock: clock) }
        for gate in gates {
            try await gate.waiters(count: 1)
            // Seen by the loop before the clock turns again: two round trips of another exchange.
            let other = try ScriptedServer(.text("ok"), .text("ok"))
            for _ in 0..<2 {
                _ = try await Transport().perform(TransportRequest(url: other.baseURL.absoluteString + "/"))
            }
            clock.advance(by: .seconds(20))
            gate.open()
        }
        #expect(await outcome(task) == nil)
    }

    @Test("ends at the total time though bytes move")
    func endsTotal() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("abcd").held(until: gate, afterBodyBytes: 2))
        let clock = TurnedClock()
        let request = request(server, idle: .seconds(1000), total: .seconds(60))
        let task = Task { try await Transport().perform(request, clock: clock) }
        try await gate.waiters(count: 1)
        clock.advance(by: .seconds(60))
        #expect(await outcome(task) == .totalTimeout)
    }

    @Test("counts the wait for a place into the total time, and not into the idle time")
    func endsWaiting() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { _ in .text("ok").held(until: gate) }
        let clock = TurnedClock()
        let transport = Transport.alone()
        let long = request(server, idle: .seconds(1000))
        let first = Task { try await transport.perform(long, clock: clock) }
        try await gate.waiters(count: 1)
        let short = request(server, idle: .seconds(10), total: .seconds(100))
        let second = Task { try await transport.perform(short, clock: clock) }
        while await transport.counts().waiting == 0 { await Task.yield() }
        clock.advance(by: .seconds(50))
        #expect(await transport.counts().waiting == 1)
        clock.advance(by: .seconds(50))
        #expect(await outcome(second) == .totalTimeout)
        gate.open()
        #expect(await outcome(first) == nil)
    }

    @Test("ends when no connection can be made in time")
    func endsConnecting() async throws {
        let full = FullBacklog()
        var request = TransportRequest(url: "http://127.0.0.1:\(full.port)/")
        request.limits.connectTimeout = .milliseconds(50)
        let bounded = request
        await #expect(throws: TransportError.connectTimeout) { try await Transport().perform(bounded) }
    }
}
