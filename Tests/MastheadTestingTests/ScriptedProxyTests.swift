import Foundation
import MastheadNetworking
import MastheadTesting
import TestServers
import Testing

/// The proxy of our own tests, seen by curl.
@Suite("ScriptedProxy", .timeLimit(.minutes(1)))
struct ScriptedProxyTests {
    /// How curl is told of a proxy.
    private func options(_ proxy: ScriptedProxy, _ scheme: String, user: String? = nil) -> [String] {
        let authority = proxy.certificateAuthorityFile.map { ["--proxy-cacert", $0] } ?? []
        let login = user.map { ["--proxy-user", $0] } ?? []
        return ["-sS", "--max-time", "20", "--noproxy", "", "--proxy", "\(scheme)://127.0.0.1:\(proxy.port)"]
            + authority + login
    }

    private func curl(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try run("/usr/bin/curl", arguments) }) }.start()
        }
    }

    @Test("lets a request with an absolute target through", arguments: [ScriptedProxy.Kind.http, .https])
    func forwards(kind: ScriptedProxy.Kind) async throws {
        let server = try ScriptedServer { .text("\($0.target) \($0.text)") }
        let proxy = try ScriptedProxy(kind, target: server.port)
        let result = try await curl(
            options(proxy, "\(kind)") + ["-d", "body", "http://nowhere.example/a/b?c=/d", "-H", "X-A: 1"]
        )
        #expect(result.output == "/a/b?c=/d body")
        let visit = try #require(proxy.visits.first)
        #expect(visit.method == "POST")
        #expect(visit.target == "http://nowhere.example/a/b?c=/d")
        #expect(visit.fields.contains("X-A: 1"))
        #expect(visit.password == nil && visit.isAdmitted)
        let request = try await server.request(0)
        #expect(request.headers["Host"] == "nowhere.example")
        #expect(request.headers["Proxy-Connection"] == nil)
    }

    @Test("opens a tunnel, also to a server that speaks TLS", arguments: [ScriptedProxy.Kind.http, .https])
    func tunnels(kind: ScriptedProxy.Kind) async throws {
        let server = try ScriptedServer(tls: .selfSigned) { .text($0.target) }
        let proxy = try ScriptedProxy(kind, target: server.port)
        let authority = try #require(server.certificateAuthorityFile)
        let result = try await curl(
            options(proxy, "\(kind)") + ["--cacert", authority, "https://localhost:1/a", "https://localhost:1/b"]
        )
        #expect(result.output == "/a/b")
        #expect(proxy.visits.map(\.method) == ["CONNECT"])
        #expect(proxy.visits.map(\.target) == ["localhost:1"])
        #expect(server.requests.map(\.serverName) == ["localhost", "localhost"])
    }

    @Test(
        "speaks SOCKS, and tells whether it was given a name",
        arguments: [
            (ScriptedProxy.Kind.socks5, "socks5h", "nowhere.example:80"), (.socks5, "socks5", "127.0.0.1:80"),
            (.socks4, "socks4a", "nowhere.example:80"), (.socks4, "socks4", "127.0.0.1:80"),
        ]
    )
    func speaksSOCKS(kind: ScriptedProxy.Kind, scheme: String, target: String) async throws {
        let server = try ScriptedServer { .text($0.target) }
        let proxy = try ScriptedProxy(kind, target: server.port)
        let host = target.hasPrefix("127") ? "127.0.0.1" : "nowhere.example"
        let result = try await curl(options(proxy, scheme) + ["http://\(host)/a"])
        #expect(result.output == "/a")
        #expect(proxy.visits.map(\.target) == [target])
        #expect(proxy.visits.map(\.method) == ["\(kind)"])
    }

    @Test(
        "lets nobody pass without the right password",
        arguments: [(ScriptedProxy.Kind.http, "http"), (.socks5, "socks5h"), (.socks4, "socks4a")]
    )
    func asksForPassword(kind: ScriptedProxy.Kind, scheme: String) async throws {
        let server = try ScriptedServer { .text($0.target) }
        let secret = kind == .socks4 ? "" : "se:cret"
        let proxy = try ScriptedProxy(kind, target: server.port, password: ("ada", secret))
        let url = "http://nowhere.example/a"
        #expect(try await curl(options(proxy, scheme) + ["-f", url]).status != 0)
        #expect(try await curl(options(proxy, scheme, user: "ada2:wrong") + ["-f", url]).status != 0)
        #expect(server.requests.isEmpty)
        let result = try await curl(options(proxy, scheme, user: "ada:\(secret)") + [url])
        #expect(result.output == "/a")
        #expect(proxy.visits.map(\.isAdmitted) == [false, false, true])
        #expect(proxy.visits.last?.password == "ada:\(secret)")
    }

    @Test("refuses, hangs up and tells of a target that is gone", arguments: ["http", "socks5h", "socks4a"])
    func refuses(scheme: String) async throws {
        let kind: ScriptedProxy.Kind = scheme == "http" ? .http : scheme == "socks5h" ? .socks5 : .socks4
        let server = try ScriptedServer()
        for conduct in [ScriptedProxy.Conduct.refuse(), .hangUp, .letThrough] {
            server.stop()
            let proxy = try ScriptedProxy(kind, target: server.port, conduct: conduct)
            #expect(try await curl(options(proxy, scheme) + ["-f", "http://nowhere.example/"]).status != 0)
            #expect(proxy.visits.map(\.isAdmitted) == [true])
        }
    }
}
