import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import TestServers
import Testing

/// Requests through a proxy, over real sockets.
@Suite("A request through a proxy", .timeLimit(.minutes(1)))
struct ProxyTests {
    private static let secrets: HTTPHeaders = ["Authorization": "s3cret", "Cookie": "s3cret", "X-Plain": "plain"]

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func repository(
        _ domain: String,
        _ proxy: ProxyServer?,
        isSecure: Bool = false,
        authorities: [String?] = []
    ) throws -> AbstractRepository {
        let files = authorities.compactMap { $0 }
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        let file = try folder.file("ca-\(UInt64.random(in: 0 ... .max)).pem", Data(texts.joined(separator: "\n").utf8))
        return AbstractRepository(
            configuration: NetworkingConfiguration(domainURL: domain) {
                $0.useSecureConnection = isSecure
                $0.certificateAuthorityFile = files.isEmpty ? nil : file
                if let proxy { $0.route = .proxy(proxy) }
            },
            defaultHeaders: Self.secrets
        )
    }

    @Test("names the whole target, and the password to the proxy alone", arguments: [ScriptedProxy.Kind.http, .https])
    func plain(kind: ScriptedProxy.Kind) async throws {
        let server = try ScriptedServer(.json("[7]"))
        defer { server.stop() }
        let proxy = try ScriptedProxy(kind, target: server.port, password: ("ada", "pa:ss"))
        defer { proxy.stop() }
        let repository = try repository(
            "api.invalid",
            proxy.server(user: "ada", password: "pa:ss"),
            authorities: [proxy.certificateAuthorityFile]
        )
        #expect(try await repository.perform(Request<[Int]>.get("a")).get() == [7])

        let visit = try #require(proxy.visits.first)
        #expect(visit.target == "http://api.invalid/a")
        #expect(visit.password == "ada:pa:ss")
        let request = try await server.request(0)
        #expect(request.headers["Host"] == "api.invalid")
        #expect(request.headers["Authorization"] == "s3cret")
        #expect(request.headers["Proxy-Authorization"] == nil)
    }

    @Test(
        "is tunnelled for https: the proxy sees the host, the server no password, and its certificate must be its own",
        arguments: [ScriptedProxy.Kind.http, .https, .socks5, .socks4]
    )
    func tunnel(kind: ScriptedProxy.Kind) async throws {
        let server = try ScriptedServer(.json("[7]"), tls: .selfSigned(names: ["api.invalid"]))
        defer { server.stop() }
        let password = kind == .socks4 ? "" : "pass"
        let proxy = try ScriptedProxy(kind, target: server.port, password: ("ada", password))
        defer { proxy.stop() }
        let authorities = [server.certificateAuthorityFile, proxy.certificateAuthorityFile]
        let way = proxy.server(user: "ada", password: kind == .socks4 ? nil : Secret(password))
        let right = try repository("api.invalid", way, isSecure: true, authorities: authorities)
        let response = try await right.performRaw(.get("a")).get()

        #expect(response.text == "[7]")
        // Of the proxy's answer to CONNECT nothing is taken for the server's.
        #expect(response.headers["Content-Type"] == "application/json")
        let visit = try #require(proxy.visits.first)
        #expect(visit.target == "api.invalid:443")
        #expect(visit.password == "ada:\(password)")
        #expect(visit.isAdmitted)
        let names = visit.fields.map { $0.prefix { $0 != ":" }.lowercased() }
        #expect(Set(names).isSubset(of: ["host", "proxy-authorization", "proxy-connection"]), "\(names)")
        let request = try await server.request(0)
        #expect(request.headers["Authorization"] == "s3cret")
        #expect(!request.headers.fields.contains { $0.name.lowercased().hasPrefix("proxy-") })

        let wrong = try repository("other.invalid", way, isSecure: true, authorities: authorities)
        guard case .tls? = await wrong.perform(Request<Void>.get("a")).failure else {
            Issue.record("expected another host's certificate to be refused")
            return
        }
        #expect(server.requests.count == 1)
    }

    @Test("leaves looking up the name to a SOCKS proxy", arguments: [ScriptedProxy.Kind.socks5, .socks4])
    func socks(kind: ScriptedProxy.Kind) async throws {
        let server = try ScriptedServer(.json("[7]"))
        defer { server.stop() }
        let proxy = try ScriptedProxy(kind, target: server.port)
        defer { proxy.stop() }
        let repository = try repository("bücher.invalid:8080", proxy.server())
        #expect(try await repository.perform(Request<[Int]>.get("a")).get() == [7])
        #expect(proxy.visits.map(\.target) == ["xn--bcher-kva.invalid:8080"])
    }

    @Test(
        "ends in an error of the proxy's when that refuses it",
        arguments: [
            (.http, .refuse(status: 403), true), (.http, .refuse(status: 502), true), (.http, .hangUp, true),
            (.socks5, .refuse(), false), (.socks5, .hangUp, false), (.socks4, .refuse(), true),
        ] as [(ScriptedProxy.Kind, ScriptedProxy.Conduct, Bool)]
    )
    func refused(kind: ScriptedProxy.Kind, conduct: ScriptedProxy.Conduct, isSecure: Bool) async throws {
        let proxy = try ScriptedProxy(kind, target: 1, conduct: conduct)
        defer { proxy.stop() }
        await expectProxyError(try repository("api.invalid", proxy.server(), isSecure: isSecure))
    }

    @Test(
        "ends in an error of the proxy's when that wants another password",
        arguments: [(.http, true), (.http, false), (.socks5, true), (.socks5, false)] as [(ScriptedProxy.Kind, Bool)],
        [nil, Secret("wr0ng")]
    )
    func unauthorized(way: (kind: ScriptedProxy.Kind, isSecure: Bool), password: Secret?) async throws {
        let proxy = try ScriptedProxy(way.kind, target: 1, password: ("ada", "right"))
        defer { proxy.stop() }
        let server = proxy.server(user: password == nil ? nil : "ada", password: password)
        let repository = try repository("api.invalid", server, isSecure: way.isSecure)
        await expectProxyError(repository)
        #expect(proxy.visits.allSatisfy { !$0.isAdmitted })
        // A stream's head is the server's too.
        guard case .proxy? = await repository.performStreaming(Request<ResponseStream>.get("a")).failure else {
            Issue.record("expected an error of the proxy's")
            return
        }
    }

    @Test(
        "ends in an error of the proxy's when that speaks no HTTP, is dead, or has no address",
        arguments: ["garbage", "dead", "nowhere"],
        [true, false]
    )
    func broken(how: String, isSecure: Bool) async throws {
        let garbage = try ScriptedServer { _ in .raw("220 mail.example ESMTP\r\n\r\n") }
        defer { garbage.stop() }
        let gone = try ScriptedServer()
        gone.stop()
        let (host, port) =
            switch how {
            case "garbage": ("127.0.0.1", garbage.port)
            case "dead": ("127.0.0.1", gone.port)
            default: (String(repeating: "a", count: 63) + ".invalid", 3128)
            }
        let repository = try repository("127.0.0.1", ProxyServer(.http, host: host, port: port), isSecure: isSecure)
        let error = await repository.perform(Request<Void>.get("a")).failure
        switch error {
        case .proxy(let reason)?: #expect(!reason.isEmpty)
        // A machine that is on no network has another reason.
        case .noNetworkConnection? where how == "nowhere": break
        // Who asks in plain cannot tell whose answer it is.
        case .invalidResponse? where how == "garbage" && !isSecure: break
        default: Issue.record("got \(String(describing: error))")
        }
    }

    @Test("shares no connection with a request that goes without, nor with another user's", arguments: [true, false])
    func sharesNothing(isSecure: Bool) async throws {
        let server = try ScriptedServer(tls: isSecure ? .selfSigned : nil) { _ in .json("[7]") }
        defer { server.stop() }
        let proxy = try ScriptedProxy(.http, target: server.port)
        defer { proxy.stop() }
        let authorities = [server.certificateAuthorityFile]
        let host = "127.0.0.1:\(server.port)"
        let ways = [nil, proxy.server(user: "ada", password: "one"), proxy.server(user: "bob", password: "two")]
        for _ in 0..<2 {
            for way in ways {
                let repository = try repository(host, way, isSecure: isSecure, authorities: authorities)
                #expect(try await repository.perform(Request<[Int]>.get("a")).get() == [7])
            }
        }
        // Two of the six went without.
        #expect(Set(proxy.visits.compactMap(\.password)) == ["ada:one", "bob:two"])
        #expect(server.requests.count == 6)
        let direct = try repository(host, nil, isSecure: isSecure, authorities: authorities)
        let visits = proxy.visits.count
        try await direct.perform(Request<Void>.get("a")).get()
        #expect(proxy.visits.count == visits)
    }

    @Test("goes past the proxy where that is an exception")
    func exceptions() async throws {
        let server = try ScriptedServer { _ in .json("[7]") }
        defer { server.stop() }
        let proxy = try ScriptedProxy(.http, target: server.port)
        defer { proxy.stop() }
        var way = proxy.server()
        way.exceptions = ["127.0.0.0/8"]
        for host in ["127.0.0.1:\(server.port)", "localhost:\(server.port)"] {
            #expect(try await repository(host, way).perform(Request<[Int]>.get("a")).get() == [7])
        }
        #expect(proxy.visits.map(\.target) == ["http://localhost:\(server.port)/a"])
    }

    private func expectProxyError(_ repository: AbstractRepository) async {
        let error = await repository.perform(Request<Void>.get("a")).failure
        guard case .proxy(let reason)? = error else {
            Issue.record("expected an error of the proxy's, got \(String(describing: error))")
            return
        }
        #expect(!reason.contains("wr0ng") && !reason.contains("s3cret"))
    }
}

extension ScriptedProxy {
    /// The proxy as a route has it.
    fileprivate func server(user: String? = nil, password: Secret? = nil) -> ProxyServer {
        let kind: ProxyServer.Kind =
            switch kind {
            case .http: .http
            case .https: .https
            case .socks5: .socks5
            case .socks4: .socks4a
            }
        return ProxyServer(kind, host: "127.0.0.1", port: port, user: user, password: password)
    }
}
