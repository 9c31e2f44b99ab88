import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Connections that are kept between exchanges, and what a server does to them meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct KeptConnectionTests {
    private static let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"

    @Test(
        "takes nothing that came before it asked for the answer, and asks on another connection, once",
        arguments: ["HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "x", "\r\n", ""],
        [nil, ScriptedServer.TLS.selfSigned]
    )
    func distrustsSpoiledConnection(stray: String, tls: ScriptedServer.TLS?) async throws {
        for (method, hasStream) in [("GET", false), ("POST", false), ("POST", true)] {
            let (late, sent) = (ScriptedServer.Gate(), ScriptedServer.Gate())
            let spoiling = ScriptedServer.Answer.raw(Self.first + stray, isClosing: stray.isEmpty)
                .held(until: late, afterBodyBytes: Self.first.utf8.count)
                .held(until: sent, afterBodyBytes: (Self.first + stray).utf8.count)
            let server = try ScriptedServer(spoiling, .text("second"), .text("third"), tls: tls)
            let transport = Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
            let url = server.baseURL.absoluteString + "/"

            #expect(try await transport.perform(TransportRequest(url: url)).body == Data("first".utf8))
            late.open()
            try await sent.waiters(count: 1)
            sent.open()
            if stray.isEmpty { try await server.closedConnections(count: 1) }
            try await ProcessTable.arrival(from: server.port)
            let pipe = BodyPipe()
            #expect(await pipe.write(Data("pay".utf8)))
            pipe.finish()
            // What can be sent once was not sent yet.
            let body = hasStream ? TransportBody.stream(pipe, length: 3) : .data(Data("pay".utf8))
            let request = TransportRequest(method: method, url: url, body: method == "POST" ? body : nil)
            #expect(try await transport.perform(request).body == Data("second".utf8))
            #expect(try await transport.perform(TransportRequest(url: url)).body == Data("third".utf8))
            #expect(server.requests.map(\.method) == ["GET", method, "GET"])
            #expect(server.requests.map(\.text) == ["", method == "POST" ? "pay" : "", ""])
            #expect(server.requests.map(\.connection) == [0, 1, 1])
        }
    }

    @Test("sends nothing on one that was reset, and asks on another", arguments: [nil, ScriptedServer.TLS.selfSigned])
    func distrustsResetConnection(tls: ScriptedServer.TLS?) async throws {
        let late = ScriptedServer.Gate()
        let reset = ScriptedServer.Answer.text("first").held(until: late, afterBodyBytes: 5)
            .reset(afterBodyBytes: .max)
        let server = try ScriptedServer(reset, .text("second"), tls: tls)
        defer { server.stop() }
        let transport = Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
        let url = server.baseURL.absoluteString + "/"
        #expect(try await transport.perform(TransportRequest(url: url)).body == Data("first".utf8))
        late.open()
        try await server.closedConnections(count: 1)
        try await ProcessTable.arrival(from: server.port)

        // What can be sent once was not sent yet: libcurl would send it, and take the reset for the new request's.
        let pipe = BodyPipe()
        #expect(await pipe.write(Data("pay".utf8)))
        pipe.finish()
        let request = TransportRequest(method: "POST", url: url, body: .stream(pipe, length: 3))
        #expect(try await transport.perform(request).body == Data("second".utf8))
        #expect(server.requests.map(\.text) == ["", "pay"] && server.requests.map(\.connection) == [0, 1])
    }
}
