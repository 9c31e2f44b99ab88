import FoundationEssentials
import MastheadTesting
import MastheadTransport
import Testing

/// What is left of an exchange when it is over: nothing.
@Suite(.timeLimit(.minutes(1)))
struct LifetimeTests {
    /// What a request holds for as long as something holds the request.
    private final class Token: Sendable {}

    private let transport = Transport()
    private let server: ScriptedServer

    init() throws {
        server = try ScriptedServer { request in
            request.path == "/cut" ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello") : .text("hello")
        }
    }

    /// Whether a request is let go of after it was used.
    private func isLetGo(path: String = "/", _ use: (TransportRequest) async throws -> Void) async throws -> Bool {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            var request = TransportRequest(url: server.baseURL.absoluteString + path)
            request.onMetrics = { [held] _ in withExtendedLifetime(held) {} }
            try await use(request)
        }
        // The loop's thread answers the first with the last commands of the exchange in its hands, the second without.
        for _ in 1...2 { _ = await transport.counts() }
        return token == nil
    }

    @Test("lets go of a request whose answer came whole")
    func letsGoAfterAnswer() async throws {
        let isLetGo = try await isLetGo { _ = try await transport.perform($0) }
        #expect(isLetGo)
    }

    @Test("lets go of a request whose answer was read as a stream", arguments: ["/", "/cut"])
    func letsGoAfterStream(path: String) async throws {
        let isLetGo = try await isLetGo(path: path) { request in
            let stream = try await transport.open(request)
            while let piece = try? await stream.next() { #expect(piece == Data("hello".utf8)) }
        }
        #expect(isLetGo)
    }

    @Test("lets go of a request whose stream nobody read")
    func letsGoOfUnreadStream() async throws {
        let isLetGo = try await isLetGo { _ = try await transport.open($0) }
        #expect(isLetGo)
    }

    @Test("lets go of a request whose body came from a pipe, and of who writes into it")
    func letsGoAfterPipe() async throws {
        let isLetGo = try await isLetGo { request in
            let pipe = BodyPipe(capacity: 1)
            var request = request
            request.method = "POST"
            request.body = .stream(pipe, length: nil)
            async let answer = transport.perform(request)
            #expect(await pipe.write(Data("hello".utf8)))
            pipe.finish()
            let status = try await answer.status
            #expect(status == 200)
            #expect(await pipe.write(Data("more".utf8)) == false)
        }
        #expect(isLetGo)
    }
}
