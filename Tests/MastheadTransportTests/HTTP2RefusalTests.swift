import FoundationEssentials
import MastheadTransport
import TestServers
import Testing

/// Requests that an HTTP/2 server refuses before it looks at them.
@Suite("HTTP/2 refusals", .timeLimit(.minutes(1)))
struct HTTP2RefusalTests {
    private typealias Step = HTTP2Server.Step

    /// A way to refuse.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [HTTP2Server.Step]
        /// Whether only libcurl's remarks tell of it, which it makes where a request must not be repeated.
        var isRemarked = false
    }

    @Test("sends again what was refused, once, whatever it asks", arguments: refusals, ["GET", "POST"])
    func sendsAgain(refusal: Refusal, method: String) async throws {
        for isReused in [false, true] {
            let server = try HTTP2Server(
                isReused ? Step.answer("before") : refusal.steps,
                refusal.steps,
                Step.answer("two")
            )
            let transport = transport(server)
            if isReused { _ = try await transport.perform(TransportRequest(url: server.url)) }
            let scripts = isReused ? 3 : 2
            let request = request(method, server)
            if isReused {
                #expect(try await transport.perform(request).body == Data("two".utf8))
                #expect(server.requests.count == scripts)
            } else {
                // The second attempt meets the second refusal, and there is no third.
                await #expect(
                    throws: TransportError.connectionLost(mayHaveBeenProcessed: refusal.isRemarked && method == "GET")
                ) {
                    try await transport.perform(request)
                }
                #expect(server.requests.count == scripts)
            }
        }
    }

    private static let refusals = [
        Refusal(testDescription: "REFUSED_STREAM", steps: [.wholeRequest, .resetStream(.refusedStream)]),
        Refusal(testDescription: "GOAWAY", steps: [.wholeRequest, .goAway(.before), .close], isRemarked: true),
        Refusal(testDescription: "GOAWAY, left open", steps: [.wholeRequest, .goAway(.before)], isRemarked: true),
    ]

    private func transport(_ server: HTTP2Server) -> Transport {
        Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
    }

    private func request(_ method: String, _ server: HTTP2Server) -> TransportRequest {
        let body: TransportBody? = method == "POST" ? .data(Data("pay".utf8)) : nil
        return TransportRequest(method: method, url: server.url, body: body)
    }
}
