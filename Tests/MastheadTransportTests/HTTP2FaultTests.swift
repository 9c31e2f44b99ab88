import FoundationEssentials
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

/// Exchanges over HTTP/2 that are refused or break off, and what the caller is told.
@Suite("HTTP/2 faults", .timeLimit(.minutes(1)))
struct HTTP2FaultTests {
    private typealias Step = HTTP2Server.Step

    private func transport(_ server: HTTP2Server) -> Transport {
        Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
    }

    private func post(_ server: HTTP2Server) -> TransportRequest {
        TransportRequest(method: "POST", url: server.url, body: .data(Data("pay".utf8)))
    }

    @Test("answers over one connection")
    func answers() async throws {
        let server = try HTTP2Server(Step.answer("one"), Step.answer("two"))
        let transport = transport(server)
        let first = try await transport.perform(TransportRequest(url: server.url))
        let second = try await transport.perform(post(server))
        #expect(first.version == .http2)
        #expect([first, second].map(\.body) == [Data("one".utf8), Data("two".utf8)])
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        #expect(server.requests.map(\.bodyLength) == [0, 3])
        #expect(server.problems == [])
    }

    @Test("takes another connection once the end of the one it has was announced", arguments: [true, false])
    func leavesConnection(isWarning: Bool) async throws {
        let server = try HTTP2Server([.goAway(isWarning ? .any : .this)] + Step.answer("one"), Step.answer("two"))
        let transport = transport(server)
        #expect(try await transport.perform(post(server)).body == Data("one".utf8))
        #expect(try await transport.perform(post(server)).body == Data("two".utf8))
        #expect(server.requests.map(\.connection) == [0, 1])
    }

    /// A request that the server has taken and then lost.
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [HTTP2Server.Step]
    }

    static let losses = [
        Loss(testDescription: "internal error", steps: [.resetStream(.internalError)]),
        Loss(testDescription: "internal error after the body", steps: [.wholeRequest, .resetStream(.internalError)]),
        Loss(testDescription: "internal error, closed", steps: [.wholeRequest, .resetStream(.internalError), .close]),
        Loss(testDescription: "internal error, cut", steps: [.wholeRequest, .resetStream(.internalError), .cut]),
        Loss(testDescription: "cancelled", steps: [.wholeRequest, .resetStream(.cancel)]),
        Loss(testDescription: "ended without a head", steps: [.wholeRequest, .resetStream(.noError)]),
        Loss(testDescription: "closed", steps: [.wholeRequest, .close]),
        Loss(testDescription: "cut", steps: [.wholeRequest, .cut]),
        Loss(testDescription: "reset", steps: [.wholeRequest, .resetConnection]),
        Loss(testDescription: "said goodbye after this, cut", steps: [.wholeRequest, .goAway(.this), .cut]),
        Loss(
            testDescription: "said goodbye after this, internal error",
            steps: [.wholeRequest, .goAway(.this), .resetStream(.internalError)]
        ),
        Loss(
            testDescription: "said goodbye after this, malformed head",
            steps: [.wholeRequest, .goAway(.this), .head(status: 200, fields: [("a b", "c")])]
        ),
        Loss(testDescription: "no HTTP/2", steps: [.wholeRequest, .garbage]),
    ]

    @Test("never sends a POST again that was taken and then lost", arguments: losses, [true, false])
    func losesPost(loss: Loss, isReused: Bool) async throws {
        let server = try HTTP2Server(isReused ? Step.answer("before") : loss.steps, loss.steps)
        let transport = transport(server)
        if isReused { _ = try await transport.perform(TransportRequest(url: server.url)) }
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await transport.perform(post(server))
        }
        #expect(server.requests.count == (isReused ? 2 : 1))
    }

    @Test(
        "tells an answer that breaks off behind its head",
        arguments: [
            [.resetStream(.internalError)], [.refused], [.cut], [.close], [.goAway(.none), .cut],
        ] as [[HTTP2Server.Step]]
    )
    func tellsBrokenAnswer(steps: [HTTP2Server.Step]) async throws {
        let server = try HTTP2Server([.wholeRequest, .head(status: 200), .data("he")] + steps)
        let error = await #expect(throws: TransportError.self) { try await transport(server).perform(post(server)) }
        guard case .incompleteBody(_, expected: nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test("goes on with the streams that a GOAWAY leaves alive")
    func outlivesGoAway() async throws {
        let gate = ScriptedServer.Gate()
        let server = try HTTP2Server(
            Step.answer("first"),
            [.goAway(.this), .gate(gate)] + Step.answer("second"),
            Step.answer("third")
        )
        let transport = transport(server)
        _ = try await transport.perform(TransportRequest(url: server.url))
        let second = Task { [request = post(server)] in try await transport.perform(request) }
        try await gate.waiters(count: 1)
        #expect(try await transport.perform(post(server)).body == Data("third".utf8))
        gate.open()
        #expect(try await second.value.body == Data("second".utf8))
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }
}
