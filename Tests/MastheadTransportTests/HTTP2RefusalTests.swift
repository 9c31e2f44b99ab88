import FoundationEssentials
import MastheadLock
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

    @Test("gets an answer that is whole, though the server never takes the rest of the request", arguments: [200, 204])
    func answeredEarly(status: Int) async throws {
        let body: [Step] = status == 204 ? [] : [.data("early", isLast: true)]
        let head = Step.head(
            status: status,
            fields: status == 204 ? [] : [("content-length", "5")],
            isLast: status == 204
        )
        let server = try HTTP2Server([.takesNoMore, head] + body, Step.answer("next"))
        defer { server.stop() }
        let clock = TurnedClock()
        let transport = transport(server)
        var request = TransportRequest(method: "POST", url: server.url, body: .data(Data(count: 1 << 20)))
        request.limits.idleTimeout = .seconds(1 << 30)
        request.limits.totalTimeout = nil
        let task = Task { [request] in try await transport.perform(request, clock: clock) }
        let turning = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        let answer = try await task.value
        turning.cancel()
        #expect(answer.status == status && answer.body == Data((status == 204 ? "" : "early").utf8))
        #expect(try await transport.perform(TransportRequest(url: server.url)).body == Data("next".utf8))
    }

    /// Runs ahead each time that it is looked at, and tells nobody.
    private final class RunawayClock: TransportClock {
        private let time = Lock(Duration.zero)

        var now: Duration {
            time.withLock { time in
                time += .seconds(2)
                return time
            }
        }

        func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
    }

    @Test(
        "gets such an answer when the server's time for the rest is over, not when the request's is",
        arguments: [200, 204]
    )
    func endsItself(status: Int) async throws {
        let body: [Step] = status == 204 ? [] : [.data("early", isLast: true)]
        let head = Step.head(
            status: status,
            fields: status == 204 ? [] : [("content-length", "5")],
            isLast: status == 204
        )
        let server = try HTTP2Server([.takesNoMore, head] + body)
        defer { server.stop() }
        var request = TransportRequest(method: "POST", url: server.url, body: .data(Data(count: 1 << 20)))
        request.limits.idleTimeout = .seconds(1 << 30)
        request.limits.totalTimeout = nil
        let answer = try await transport(server).perform(request, clock: RunawayClock())
        #expect(answer.status == status && answer.body == Data((status == 204 ? "" : "early").utf8))
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
