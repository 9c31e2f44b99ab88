import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import TestServers
import Testing

/// A `Proxy-Authorization` that an app sets itself.
@Suite("An app's own Proxy-Authorization", .timeLimit(.minutes(1)))
struct ProxyAuthorizationTests {
    private static let headers: HTTPHeaders = ["Proxy-AUTHORIZATION": "Bearer s3cret", "X-Plain": "plain"]

    private func isSent(to server: ScriptedServer) async throws -> Bool {
        let request = try await server.request(server.requests.count - 1)
        #expect(request.headers["X-Plain"] == "plain")
        return request.headers["Proxy-Authorization"] != nil
    }

    @Test("reaches no server that is asked without a proxy", arguments: [false, true])
    func direct(isSecure: Bool) async throws {
        let server = try ScriptedServer(tls: isSecure ? .selfSigned : nil) { _ in .status(204) }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration(), defaultHeaders: Self.headers)
        try await repository.perform(Request<Void>.get("a")).get()
        #expect(try await !isSent(to: server))
    }

    @Test(
        "reaches no server through a tunnel, and no proxy that makes one",
        arguments: [(.http, true), (.https, true), (.socks5, true), (.socks5, false)] as [(ScriptedProxy.Kind, Bool)]
    )
    func tunnel(kind: ScriptedProxy.Kind, isSecure: Bool) async throws {
        let server = try ScriptedServer(tls: isSecure ? .selfSigned(names: ["api.invalid"]) : nil) { _ in .status(204) }
        defer { server.stop() }
        let proxy = try ScriptedProxy(kind, target: server.port)
        defer { proxy.stop() }
        let folder = try TestFolder()
        let authorities = try [server.certificateAuthorityFile, proxy.certificateAuthorityFile].compactMap { $0 }
            .map { try String(contentsOfFile: $0, encoding: .utf8) }
        let file = try folder.file("ca.pem", Data(authorities.joined(separator: "\n").utf8))
        let kinds: [ScriptedProxy.Kind: ProxyServer.Kind] = [.http: .http, .https: .https, .socks5: .socks5]
        let way = ProxyServer(try #require(kinds[kind]), host: "127.0.0.1", port: proxy.port)
        let configuration = NetworkingConfiguration(domainURL: "api.invalid") {
            $0.useSecureConnection = isSecure
            $0.certificateAuthorityFile = authorities.isEmpty ? nil : file
            $0.route = .proxy(way)
        }
        try await AbstractRepository(configuration: configuration, defaultHeaders: Self.headers)
            .perform(Request<Void>.get("a")).get()
        #expect(try await !isSent(to: server))
        let fields = proxy.visits.flatMap(\.fields)
        #expect(proxy.visits.count == 1 && !fields.contains { $0.contains("s3cret") })
    }

    @Test("reaches the proxy that gets the whole request, and the next server without a proxy not")
    func plain() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let proxy = try ScriptedProxy(.http, target: server.port)
        defer { proxy.stop() }
        let through = server.configuration {
            $0.route = .proxy(ProxyServer(.http, host: "127.0.0.1", port: proxy.port))
        }
        try await AbstractRepository(configuration: through, defaultHeaders: Self.headers)
            .perform(Request<Void>.get("a")).get()
        let fields = try #require(proxy.visits.first).fields
        #expect(fields.contains { $0.lowercased() == "proxy-authorization: bearer s3cret" })
        #expect(try await !isSent(to: server))
        let exception = server.configuration {
            $0.route = .proxy(ProxyServer(.http, host: "127.0.0.1", port: proxy.port, exceptions: ["127.0.0.1"]))
        }
        try await AbstractRepository(configuration: exception, defaultHeaders: Self.headers)
            .perform(Request<Void>.get("a")).get()
        #expect(try await !isSent(to: server) && proxy.visits.count == 1)
    }
}
