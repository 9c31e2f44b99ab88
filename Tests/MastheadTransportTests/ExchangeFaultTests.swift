import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Exchanges over real sockets that go wrong, and what the caller is told.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeFaultTests {
    private let transport = Transport()

    private func error(
        of answer: ScriptedServer.Answer,
        method: String = "GET",
        limit: Int = 64 << 20
    ) async throws -> TransportError? {
        let server = try ScriptedServer { _ in answer }
        var request = TransportRequest(method: method, url: server.baseURL.absoluteString + "/")
        request.limits.maximumBodySize = limit
        do throws(TransportError) {
            _ = try await transport.perform(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("tells a body that is shorter than announced")
    func tellsShortBody() async throws {
        #expect(
            try await error(of: .text("12345").claimingLength(10)) == .incompleteBody(received: 5, expected: 10)
        )
    }

    @Test("tells chunks without an end")
    func tellsMissingLastChunk() async throws {
        #expect(
            try await error(of: .text("12345").chunked(isEnded: false)) == .incompleteBody(received: 5, expected: nil)
        )
    }

    @Test("tells a body whose connection is reset")
    func tellsReset() async throws {
        let error = try await error(of: .generated(byteCount: 1 << 20).reset(afterBodyBytes: 500_000))
        guard case .incompleteBody(_, expected: 1_048_576) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("tells an answer that never begins", arguments: [ScriptedServer.Answer.hangUp, .reset])
    func tellsLostConnection(answer: ScriptedServer.Answer) async throws {
        #expect(try await error(of: answer) == .connectionLost(mayHaveBeenProcessed: true))
    }

    @Test("tells bytes that are no HTTP")
    func tellsGarbage() async throws {
        guard case .invalidResponse = try await error(of: .garbage()) else {
            Issue.record("garbage was taken for an answer")
            return
        }
    }

    @Test("refuses two lengths that differ, and takes two that agree")
    func refusesTwoLengths() async throws {
        let twice = ScriptedServer.Answer.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await error(of: twice) == nil)
        let differ = ScriptedServer.Answer.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 2\r\n\r\nhello")
        #expect(try await error(of: differ) == .invalidResponse("two different lengths for one body"))
    }

    @Test("refuses a head without end")
    func refusesHugeHead() async throws {
        let lines = (0..<6000).map { "X-\($0): \(String(repeating: "x", count: 60))\r\n" }.joined()
        let error = try await error(of: .raw("HTTP/1.1 200 OK\r\n\(lines)\r\n"))
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("stops a body at the limit, announced or not")
    func stopsAtLimit() async throws {
        #expect(try await error(of: .generated(byteCount: 200 << 20), limit: 1 << 20) == .bodyTooLarge(limit: 1 << 20))
        let endless = ScriptedServer.Answer.generated(byteCount: 200 << 20).chunked(size: 65536)
        #expect(try await error(of: endless, limit: 1 << 20) == .bodyTooLarge(limit: 1 << 20))
        #expect(try await error(of: .generated(byteCount: 1 << 20), limit: 1 << 20) == nil)
    }

    @Test("tells a port where nothing listens")
    func tellsRefused() async throws {
        let server = try ScriptedServer()
        server.stop()
        await #expect(throws: TransportError.refused(host: "127.0.0.1")) {
            try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
        }
    }

    @Test("tells a server that speaks no TLS")
    func tellsNoTLS() async throws {
        let server = try ScriptedServer { _ in .text("plain") }
        let error = await #expect(throws: TransportError.self) {
            try await transport.perform(TransportRequest(url: "https://127.0.0.1:\(server.port)/"))
        }
        guard case .tls = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("tells a URL that is none", arguments: ["ftp://a/", "nonsense", "http://", "https://user:password@a/"])
    func tellsBadURL(url: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await transport.perform(TransportRequest(url: url))
        }
        guard case .invalidURL = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("repeats a GET once, on a fresh connection, when a kept one turns out to be closed")
    func repeatsGet() async throws {
        let server = try ScriptedServer(.text("one"), .hangUp, .text("two"))
        let url = server.baseURL.absoluteString + "/"
        #expect(try await transport.perform(TransportRequest(url: url)).body == Data("one".utf8))
        #expect(try await transport.perform(TransportRequest(url: url)).body == Data("two".utf8))
        let connections = server.requests.map(\.connection)
        #expect(connections.count == 3)
        #expect(connections[0] == connections[1])
        #expect(connections.last != connections.first)
    }

    @Test("never sends a POST twice")
    func neverRepeatsPost() async throws {
        let server = try ScriptedServer(.text("one"), .hangUp, .text("two"))
        let url = server.baseURL.absoluteString + "/"
        _ = try await transport.perform(TransportRequest(url: url))
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await transport.perform(TransportRequest(method: "POST", url: url, body: .data(Data("pay".utf8))))
        }
        #expect(server.requests.map(\.method) == ["GET", "POST"])
    }

    @Test("gives up a GET that is lost twice")
    func givesUp() async throws {
        let server = try ScriptedServer(.text("one"), .hangUp, .hangUp, .text("never asked"))
        let url = server.baseURL.absoluteString + "/"
        _ = try await transport.perform(TransportRequest(url: url))
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await transport.perform(TransportRequest(url: url))
        }
        #expect(server.requests.count == 3)
    }
}
