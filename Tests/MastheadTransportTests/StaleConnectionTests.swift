import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Kept connections that a server closes as the next request is sent.
@Suite("A stale connection", .timeLimit(.minutes(1)))
struct StaleConnectionTests {
    private static let body = Data("what is to be stored".utf8)

    private func transport(_ server: ScriptedServer) -> Transport {
        Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
    }

    private func request(_ method: String, to server: ScriptedServer) -> TransportRequest {
        let carriesBody = ["PUT", "POST"].contains(method)
        return TransportRequest(
            method: method,
            url: server.baseURL.absoluteString + "/",
            body: carriesBody ? .data(Self.body) : nil
        )
    }

    @Test(
        "case 18: what may be repeated is, once, on a fresh connection, and with its body",
        arguments: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"],
        [ScriptedServer.Answer.hangUp, .reset]
    )
    func repeats(method: String, loss: ScriptedServer.Answer) async throws {
        for tls in [nil, ScriptedServer.TLS.selfSigned] {
            let server = try ScriptedServer(.text("one"), loss, .text("two"), .text("three"), tls: tls)
            let transport = transport(server)
            _ = try await transport.perform(request("GET", to: server))
            let answer = try await transport.perform(request(method, to: server))
            #expect(answer.body == (method == "HEAD" ? Data() : Data("two".utf8)))
            #expect(server.requests.map(\.method) == ["GET", method, method])
            #expect(server.requests.map(\.connection) == [0, 0, 1])
            #expect(server.requests.dropFirst().allSatisfy { $0.body == (method == "PUT" ? Self.body : Data()) })
        }
    }

    @Test("case 18: what is lost twice is given up", arguments: ["GET", "PUT"])
    func givesUp(method: String) async throws {
        let server = try ScriptedServer(.text("one"), .hangUp, .hangUp, .text("never asked"))
        let transport = transport(server)
        _ = try await transport.perform(request("GET", to: server))
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await transport.perform(request(method, to: server))
        }
        #expect(server.requests.count == 3)
    }

    @Test(
        "case 18: a POST is sent once, and its caller is told that it may have been processed",
        arguments: [ScriptedServer.Answer.hangUp, .reset],
        [nil, ScriptedServer.TLS.selfSigned]
    )
    func sendsPostOnce(loss: ScriptedServer.Answer, tls: ScriptedServer.TLS?) async throws {
        let server = try ScriptedServer(.text("one"), loss, .text("never asked"), tls: tls)
        let transport = transport(server)
        _ = try await transport.perform(request("GET", to: server))
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await transport.perform(request("POST", to: server))
        }
        #expect(server.requests.map(\.method) == ["GET", "POST"])
    }

    @Test("case 18: a POST of which nothing was sent goes out on a fresh connection", arguments: [true, false])
    func sendsUnsentPost(isAnnounced: Bool) async throws {
        let server = try ScriptedServer(.text("one").closing(isAnnounced: isAnnounced), .text("two"))
        let transport = transport(server)
        _ = try await transport.perform(request("GET", to: server))
        try await server.closedConnections(count: 1)
        try await ProcessTable.arrival(from: server.port)
        #expect(try await transport.perform(request("POST", to: server)).body == Data("two".utf8))
        #expect(server.requests.map(\.connection) == [0, 1])
    }

    @Test(
        "case 18: a POST with an idempotency key is sent again by a policy that sends again",
        arguments: [nil, "7f3c"]
    )
    func sendsKeyedPostAgain(key: String?) async throws {
        let server = try ScriptedServer(.text("one"), .hangUp, .text("two"))
        let repository = AbstractRepository(
            configuration: server.configuration { $0.retry = RetryPolicy(baseDelay: .zero) }
        )
        _ = await repository.performRaw(.get("orders"))
        var order = Request<HTTPResponse>.post("orders", body: .data(Self.body, contentType: nil))
        order.headers["Idempotency-Key"] = key
        switch await repository.performRaw(order) {
        case .success(let response):
            #expect(key != nil && response.body == Data("two".utf8))
            #expect(server.requests.map(\.body) == [Data(), Self.body, Self.body])
            #expect(server.requests.dropFirst().allSatisfy { $0.headers["Idempotency-Key"] == key })
        case .failure(.connectionLost(mayHaveBeenProcessed: true)):
            #expect(key == nil)
            #expect(server.requests.count == 2)
        case .failure(let error):
            Issue.record("\(error)")
        }
    }
}
