import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// What may keep a token from being renewed, over a socket wherever it can be.
struct RenewalTrouble: Sendable, CustomTestStringConvertible {
    enum Cause: Sendable {
        case answer(ScriptedServer.Answer)
        case noListener
        /// What no server of a test can bring about.
        case error(RepositoryError)
    }

    /// Whom it ends the session for.
    enum Consequence: Sendable {
        case always, unlessKept, never
    }

    let testDescription: String
    let cause: Cause
    let consequence: Consequence
    /// What the calls that wait end in if the session goes on.
    var label = "requestError"
    var isHang = false

    func ends(_ setting: FailedRenewal) -> Bool {
        switch consequence {
        case .always: true
        case .unlessKept: setting == .endsSession
        case .never: false
        }
    }

    /// Lets a request come to this; the token endpoint is `server`.
    func answer(_ request: HTTPRequest, _ server: ScriptedServer) async throws(RepositoryError) -> HTTPResponse {
        if case .error(let error) = cause { throw error }
        var request = request
        // Another address of this machine, where the server listens at the same port only on the first.
        let host = if case .noListener = cause { "127.0.0.77" } else { "127.0.0.1" }
        guard let url = URL(string: "http://\(host):\(server.port)/token") else { throw .invalidURL(reason: host) }
        request.url = url
        return try await LibcurlExecutor().execute(request, server.configuration())
    }

    /// A token endpoint for it.
    func server() throws -> ScriptedServer {
        guard case .answer(let answer) = cause else { return try ScriptedServer() }
        return try ScriptedServer { _ in answer }
    }

    static let all: [RenewalTrouble] = [
        RenewalTrouble(testDescription: "400", cause: .answer(.status(400)), consequence: .always),
        RenewalTrouble(testDescription: "401", cause: .answer(.status(401)), consequence: .always),
        RenewalTrouble(testDescription: "403", cause: .answer(.status(403)), consequence: .unlessKept),
        RenewalTrouble(testDescription: "429", cause: .answer(.status(429)), consequence: .unlessKept),
        RenewalTrouble(testDescription: "500", cause: .answer(.status(500)), consequence: .unlessKept),
        RenewalTrouble(testDescription: "503", cause: .answer(.status(503)), consequence: .unlessKept),
        RenewalTrouble(
            testDescription: "a page instead of a token",
            cause: .answer(.text("<html>")),
            consequence: .unlessKept,
            label: "jsonError"
        ),
        RenewalTrouble(
            testDescription: "an empty token",
            cause: .answer(.json(#"{"access_token": ""}"#)),
            consequence: .unlessKept,
            label: "invalidResponse"
        ),
        RenewalTrouble(
            testDescription: "no answer",
            cause: .answer(.never),
            consequence: .unlessKept,
            label: "timeout.total",
            isHang: true
        ),
        RenewalTrouble(
            testDescription: "a reset after the request",
            cause: .answer(.reset),
            consequence: .unlessKept,
            label: "connectionLost"
        ),
        RenewalTrouble(
            testDescription: "no connection",
            cause: .noListener,
            consequence: .never,
            label: "refused"
        ),
        RenewalTrouble(
            testDescription: "no address",
            cause: .error(.dns(host: "logins.example.com")),
            consequence: .never,
            label: "dns"
        ),
        RenewalTrouble(
            testDescription: "no network",
            cause: .error(.noNetworkConnection),
            consequence: .never,
            label: "noNetworkConnection"
        ),
        RenewalTrouble(
            testDescription: "no trusted server",
            cause: .error(.tls(reason: "self-signed")),
            consequence: .never,
            label: "tls"
        ),
        RenewalTrouble(
            testDescription: "no connection in time",
            cause: .error(.timeout(.connect)),
            consequence: .never,
            label: "timeout.connect"
        ),
        RenewalTrouble(
            testDescription: "no place in the queue",
            cause: .error(.timeout(.queue)),
            consequence: .never,
            label: "timeout.queue"
        ),
        RenewalTrouble(
            testDescription: "a connection lost before the request",
            cause: .error(.connectionLost(mayHaveBeenProcessed: false)),
            consequence: .never,
            label: "connectionLost"
        ),
        RenewalTrouble(
            testDescription: "no way through the proxy",
            cause: .error(.proxy(reason: "407")),
            consequence: .never,
            label: "proxy"
        ),
        RenewalTrouble(
            testDescription: "an open circuit",
            cause: .error(.circuitOpen(host: "logins.example.com", retryAfter: .seconds(9))),
            consequence: .never,
            label: "circuitOpen"
        ),
        RenewalTrouble(
            testDescription: "an impossible configuration",
            cause: .error(.invalidConfiguration(reason: "no host")),
            consequence: .never,
            label: "invalidConfiguration"
        ),
        RenewalTrouble(
            testDescription: "an impossible request",
            cause: .error(.invalidRequest(reason: "a line break")),
            consequence: .never,
            label: "invalidRequest"
        ),
        RenewalTrouble(
            testDescription: "an impossible URL",
            cause: .error(.invalidURL(reason: "..")),
            consequence: .never,
            label: "invalidURL"
        ),
        RenewalTrouble(
            testDescription: "a local file",
            cause: .error(.fileAccess(reason: "full")),
            consequence: .never,
            label: "fileAccess"
        ),
        RenewalTrouble(
            testDescription: "an answer that stops",
            cause: .error(.timeout(.idle)),
            consequence: .unlessKept,
            label: "timeout.idle"
        ),
        RenewalTrouble(
            testDescription: "a cancellation",
            cause: .error(.cancelled),
            consequence: .never,
            label: "cancelled"
        ),
    ]
}
