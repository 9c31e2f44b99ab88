import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Exchanges that a caller sends on a kept connection while the loop's thread is parked, and stays so.
@Suite(.timeLimit(.minutes(1)))
struct ParkedLoopTests {
    private func request(_ server: ScriptedServer, idle: Duration = .seconds(30)) -> TransportRequest {
        var request = TransportRequest(url: server.baseURL.absoluteString + "/")
        request.limits.idleTimeout = idle
        return request
    }

    private func transport(to server: ScriptedServer) -> Transport {
        Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
    }

    @Test("brings one answer after the other on one connection", arguments: [nil, ScriptedServer.TLS.selfSigned])
    func bringsAnswers(tls: ScriptedServer.TLS?) async throws {
        let server = try ScriptedServer(tls: tls) { request in .text(request.target) }
        let transport = transport(to: server)
        for number in 0..<50 {
            let request = TransportRequest(url: server.baseURL.absoluteString + "/\(number)")
            #expect(try await transport.perform(request).body == Data("/\(number)".utf8))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "ends at the idle time, whether the thread was woken for it or wakes by itself",
        arguments: [Duration.milliseconds(50), .seconds(3)]
    )
    func endsIdle(idle: Duration) async throws {
        let server = try ScriptedServer(.text("first"), .text("second"), .never)
        let transport = transport(to: server)
        // After these the thread is parked for less than the longer time, and need not be woken for it.
        for _ in 0..<2 { _ = try await transport.perform(request(server, idle: .seconds(3))) }
        let last = request(server, idle: idle)
        let task = Task { try await transport.perform(last) }
        #expect(await outcome(task) == .idleTimeout)
        #expect(server.requests.map(\.connection) == [0, 0, 0])
    }

    @Test("ends when its task is cancelled")
    func endsCancelled() async throws {
        let server = try ScriptedServer(.text("first"), .never)
        let transport = Transport.alone()
        let request = request(server)
        _ = try await transport.perform(request)
        let task = Task { try await transport.perform(request) }
        _ = try await server.request(1)
        task.cancel()
        #expect(await outcome(task) == .cancelled)
        try await server.closedConnections(count: 1)
        #expect(await transport.counts().active == 0)
    }

    @Test("holds up no other exchange")
    func letsOthersPass() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("first"), .text("second").held(until: gate), .text("third"))
        let transport = transport(to: server)
        let request = request(server)
        _ = try await transport.perform(request)
        let second = Task { try await transport.perform(request) }
        try await gate.waiters(count: 1)
        #expect(try await transport.perform(request).body == Data("third".utf8))
        gate.open()
        #expect(try await second.value.body == Data("second".utf8))
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }

    @Test("sends a body that does not fit the connection's buffers")
    func sendsBigBody() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("first"), .text("second").held(until: gate), .text("third"))
        let transport = transport(to: server)
        _ = try await transport.perform(request(server))
        var upload = request(server)
        upload.method = "POST"
        upload.body = .data(Data(count: 8 << 20))
        let task = Task { [upload] in try await transport.perform(upload) }
        try await gate.waiters(count: 1)
        gate.open()
        #expect(try await task.value.body == Data("second".utf8))
        #expect(try await server.request(1).body.count == 8 << 20)
    }

    @Test("asks anew when the server has closed the connection meanwhile")
    func survivesClosing() async throws {
        let gate = ScriptedServer.Gate()
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
        let closing = ScriptedServer.Answer.raw(first).held(until: gate, afterBodyBytes: first.utf8.count)
        let server = try ScriptedServer(closing, .text("second"), .text("third"))
        let transport = transport(to: server)
        let request = request(server)
        _ = try await transport.perform(request)
        gate.open()
        try await server.closedConnections(count: 1)
        #expect(try await transport.perform(request).body == Data("second".utf8))
        #expect(try await transport.perform(request).body == Data("third".utf8))
        #expect(server.requests.map(\.connection) == [0, 1, 1])
    }
}
