import FoundationEssentials
import MastheadTesting
import MastheadTransport
import Testing

@Suite("The end of a TLS connection", .timeLimit(.minutes(1)))
struct ClosingAlertTests {
    private func transport(_ server: ScriptedServer) -> Transport {
        Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
    }

    private func request(_ server: ScriptedServer) -> TransportRequest {
        TransportRequest(url: server.baseURL.absoluteString + "/")
    }

    @Test("is the end of a body without a length if the server says so", arguments: [0, 5, 100_000])
    func isEnd(size: Int) async throws {
        let server = try ScriptedServer(.text(String(repeating: "x", count: size)).endedByClose(), tls: .selfSigned)

        #expect(try await transport(server).perform(request(server)).body.count == size)
    }

    @Test("is none if the server does not say so: the body is incomplete", arguments: [0, 5, 100_000])
    func isNoEnd(size: Int) async throws {
        let answer = ScriptedServer.Answer.text(String(repeating: "x", count: size)).endedByClose()
        let server = try ScriptedServer(answer.cut(afterBodyBytes: size), tls: .selfSigned)

        let failed = await failure(transport(server), request(server))

        #expect(failed == .incompleteBody(received: size, expected: nil))
    }

    @Test("is none in a stream either")
    func isNoEndOfStream() async throws {
        let server = try ScriptedServer(.text("hello").endedByClose().cut(afterBodyBytes: 5), tls: .selfSigned)
        let stream = try await transport(server).open(request(server))

        var body = Data()
        await #expect(throws: TransportError.incompleteBody(received: 5, expected: nil)) {
            while let piece = try await stream.next() { body += piece }
        }
        #expect(body == Data("hello".utf8))
    }

    @Test("needs no word where the body has an end of its own, or there is no body")
    func needsNoWord() async throws {
        for (answer, method) in [
            (ScriptedServer.Answer.text("hello").cut(afterBodyBytes: 5), "GET"),
            (.raw("HTTP/1.1 204 No Content\r\n\r\n", isClosing: false).cut(afterBodyBytes: 27), "GET"),
            (.raw("HTTP/1.1 200 OK\r\n\r\n", isClosing: false).cut(afterBodyBytes: 19), "HEAD"),
            (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n").cut(afterBodyBytes: 52), "GET"),
        ] {
            let server = try ScriptedServer(answer, tls: .selfSigned)
            var request = request(server)
            request.method = method

            #expect(await failure(transport(server), request) == nil)
        }
    }

    @Test("of a connection without TLS is the end of such a body: nobody could tell")
    func isEndWithoutTLS() async throws {
        let server = try ScriptedServer(.text("hello").endedByClose().cut(afterBodyBytes: 5))

        #expect(try await transport(server).perform(request(server)).body == Data("hello".utf8))
    }
}
