import FoundationEssentials
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("A route")
struct NetworkRouteTests {
    @Test("is refused where it is impossible, with what to change and no secret")
    func isRefused() {
        let changes: [(String, (inout NetworkRoute) -> Void)] = [
            (
                "unixSocket",
                {
                    $0.unixSocket = "/x"; $0.addresses = ["a.example": "::1"]
                }
            ),
            (
                "unixSocket",
                {
                    $0.unixSocket = "/x"; $0.proxy = ProxyServer(.http, host: "p.example")
                }
            ),
            ("107", { $0.unixSocket = String(repeating: "x", count: 108) }), ("empty", { $0.unixSocket = "" }),
            ("NUL", { $0.unixSocket = "/x\0y" }),
            ("name", { $0.addresses = ["a.example": "b.example"] }),
            ("space", { $0.addresses = ["a b": "::1"] }),
            ("twice", { $0.addresses = ["A.example": "::1", "a.example": "127.0.0.1"] }),
            ("port", { $0.addresses = ["a.example": "127.0.0.1:70000"] }),
            ("zone", { $0.addresses = ["a.example": "fe80::1%lo"] }),
            ("interface", { $0.localAddress = "an interface" }), ("interface", { $0.localAddress = "" }),
            (
                "addressFamily",
                {
                    $0.localAddress = "127.0.0.1"; $0.addressFamily = .ipv6
                }
            ),
            ("happyEyeballsDelay", { $0.happyEyeballsDelay = .milliseconds(9) }),
            ("path", { $0.proxy = ProxyServer(.http, host: "p.example/x") }),
            ("give it as port", { $0.proxy = ProxyServer(.http, host: "p.example:1") }),
            ("65535", { $0.proxy = ProxyServer(.http, host: "p.example", port: 0) }),
            ("no user", { $0.proxy = ProxyServer(.http, host: "p.example", password: "s3cret") }),
            ("colon", { $0.proxy = ProxyServer(.http, host: "p.example", user: "s3cret:x") }),
            ("control", { $0.proxy = ProxyServer(.http, host: "p.example", user: "a", password: "s3cret\n") }),
            ("255", { $0.proxy = ProxyServer(.http, host: "p.example", user: String(repeating: "s3cret", count: 43)) }),
            ("socks5", { $0.proxy = ProxyServer(.socks4a, host: "p.example", user: "a", password: "s3cret") }),
            ("exception", { $0.proxy = ProxyServer(.http, host: "p.example", exceptions: ["a b"]) }),
            ("exception", { $0.proxy = ProxyServer(.http, host: "p.example", exceptions: ["10.0.0.0/33"]) }),
            ("exception", { $0.proxy = ProxyServer(.http, host: "p.example", exceptions: ["a.example,b.example"]) }),
        ]
        for (hint, change) in changes {
            let configuration = NetworkingConfiguration(domainURL: "h.example") { change(&$0.route) }
            let error = #expect(throws: RepositoryError.self, "\(hint)") { try configuration.validate() }
            guard case .invalidConfiguration(let reason) = error else {
                Issue.record("expected an invalid configuration, got \(String(describing: error))")
                continue
            }
            #expect(reason.contains("route"))
            #expect(reason.contains(hint), "\(reason)")
            #expect(!reason.contains("s3cret"))
        }
    }

    @Test("becomes what libcurl is told")
    func becomesTransportRoute() throws {
        let url = try #require(URL(string: "https://h.example/"))
        var route = NetworkRoute.proxy(ProxyServer(.socks5, host: "::1", user: "ada", password: "s3cret"))
        route.addresses = ["B.example": "::1", "bücher.example:443": "127.0.0.1:8443", "a.example": "[::1]:80"]
        route.localAddress = "127.0.0.2"
        route.addressFamily = .ipv4
        let transport = try TransportRoute(route, to: url)
        #expect(transport.proxy == .init(url: "socks5h://[::1]:1080", user: "ada", password: "s3cret"))
        #expect(
            transport.connectTo
                == ["xn--bcher-kva.example:443:127.0.0.1:8443", "a.example::[::1]:80", "b.example::[::1]:"]
        )
        #expect(transport.localAddress == "host!127.0.0.2")
        #expect(transport.family == .ipv4)
        #expect(try TransportRoute(NetworkRoute { $0.localAddress = "eth0" }, to: url).localAddress == "if!eth0")
        #expect(try TransportRoute(.direct, to: url) == TransportRoute())
    }

    @Test(
        "goes past the proxy for its exceptions, and for nothing else",
        arguments: [
            ("https://a.example/", ["a.example"], true), ("https://A.example./", ["a.example"], true),
            ("https://x.a.example/", [".a.example"], true), ("https://x.a.example/", ["*.A.example"], true),
            ("https://xa.example/", ["a.example"], false), ("https://a.example.org/", ["a.example"], false),
            ("https://example/", ["a.example"], false), ("https://anything/", ["*"], true),
            ("https://b%C3%BCcher.example/", ["bücher.example"], true), ("https://10.1.2.3/", ["10.0.0.0/8"], true),
            ("https://11.1.2.3/", ["10.0.0.0/8"], false), ("https://10.1.2.3/", ["10.1.2.0/23"], true),
            ("https://10.1.4.3/", ["10.1.2.0/23"], false), ("https://10.1.2.3/", ["10.1.2.3"], true),
            ("https://10.1.2.4/", ["10.1.2.3"], false), ("https://[::1]/", ["::1"], true),
            ("https://[::2]/", ["::1"], false), ("https://[fe80::2]/", ["fe80::/10"], true),
            ("https://[::1]/", ["0.0.0.0/0"], false), ("https://h.example/", [], false),
        ] as [(String, [String], Bool)]
    )
    func hasExceptions(url: String, exceptions: [String], isPast: Bool) throws {
        let proxy = ProxyServer(.http, host: "p.example", exceptions: exceptions)
        let url = try #require(URL(string: url))
        #expect((try TransportRoute(.proxy(proxy), to: url).proxy == nil) == isPast)
    }

    @Test("shows no password and no user, whatever prints it")
    func showsNoSecret() {
        let configuration = NetworkingConfiguration(domainURL: "h.example") {
            $0.route = .proxy(ProxyServer(.http, host: "p.example", port: 3128, user: "us3r", password: "s3cret"))
        }
        let proxy = configuration.route.proxy
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(configuration.route, to: &dumped)
        for text in [
            "\(configuration)", "\(configuration.route)", String(reflecting: proxy), "\(proxy as Any)", dumped,
        ] {
            #expect(!text.contains("s3cret") && !text.contains("us3r"))
        }
        #expect(dumped.contains("http://p.example:3128"))
        let url = URL(string: "https://h.example/a?x=s3cret")
        #expect(url.map { Redaction(configuration).url($0).contains("s3cret") } == false)
    }
}

@Suite("A proxy server")
struct ProxyServerTests {
    @Test(
        "is read from a URL",
        arguments: [
            ("http://p.example:3128", ProxyServer(.http, host: "p.example", port: 3128)),
            ("HTTP://p.example/", ProxyServer(.http, host: "p.example", port: 80)),
            ("https://[::1]", ProxyServer(.https, host: "[::1]", port: 443)),
            (
                "socks5://a%40b:s%3A3:cret@127.0.0.1",
                ProxyServer(.socks5, host: "127.0.0.1", user: "a@b", password: "s:3:cret")
            ),
            ("socks5h://p.example", ProxyServer(.socks5, host: "p.example")),
            ("socks4a://ada@p.example:1", ProxyServer(.socks4a, host: "p.example", port: 1, user: "ada")),
            ("http://bücher.example", ProxyServer(.http, host: "xn--bcher-kva.example")),
        ]
    )
    func isRead(url: String, expected: ProxyServer) throws {
        #expect(try ProxyServer(url) == expected)
    }

    @Test(
        "is not read from what is no proxy's URL",
        arguments: [
            "", "s3cret.example", "p.example:3128", "ftp://s3cret/", "http://s3cret/x", "http://s3cret?x", "http://a b",
            "http://s3cret:0", "http://s3cret:x@", "socks4://s3cret", "http://%FF:s3cret@p.example",
        ]
    )
    func isNotRead(url: String) {
        let error = #expect(throws: RepositoryError.self) { try ProxyServer(url) }
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test("is read from the environment's variables when an app asks for it")
    func readsEnvironment() throws {
        let variables = [
            "http_proxy": "p.example:3128", "HTTPS_PROXY": "https://ada:s3cret@q.example",
            "no_proxy": "localhost, 10.0.0.0/8,.example.org,b.example:80", "HTTP_PROXY": "http://evil.example",
        ]
        let plain = try NetworkRoute.environment(variables, isSecure: false)
        let exceptions = ["localhost", "10.0.0.0/8", ".example.org"]
        #expect(plain == .proxy(ProxyServer(.http, host: "p.example", port: 3128, exceptions: exceptions)))
        let secure = try NetworkRoute.environment(variables)
        #expect(secure.proxy?.kind == .https)
        #expect(secure.proxy?.password == "s3cret")
        #expect(try NetworkRoute.environment(["HTTP_PROXY": "http://evil.example"], isSecure: false) == .direct)
        #expect(
            try NetworkRoute.environment(["all_proxy": "socks5://p.example", "https_proxy": ""]).proxy?.kind == .socks5
        )
        #expect(throws: RepositoryError.self) { try NetworkRoute.environment(["https_proxy": "gopher://x"]) }
    }

    @Test("and the rest of a route are read from a configuration's variables")
    func readsConfiguration() throws {
        let configuration = try NetworkingConfiguration(environment: [
            "MASTHEAD_DOMAIN_URL": "h.example", "MASTHEAD_PROXY": "http://ada:s3cret@p.example:3128",
            "MASTHEAD_PROXY_EXCEPTIONS": "localhost,10.0.0.0/8", "MASTHEAD_ADDRESSES": #"{"h.example": "127.0.0.1"}"#,
            "MASTHEAD_LOCAL_ADDRESS": "127.0.0.2", "MASTHEAD_ADDRESS_FAMILY": "ipv4",
        ])
        var expected = NetworkRoute.proxy(try ProxyServer("http://ada:s3cret@p.example:3128"))
        expected.proxy?.exceptions = ["localhost", "10.0.0.0/8"]
        expected.addresses = ["h.example": "127.0.0.1"]
        expected.localAddress = "127.0.0.2"
        expected.addressFamily = .ipv4
        #expect(configuration.route == expected)
        for (name, value) in [("PROXY", "ftp://s3cret"), ("PROXY_EXCEPTIONS", "a"), ("ADDRESSES", "{\"a\": 1}")] {
            let error = #expect(throws: RepositoryError.self) {
                try NetworkingConfiguration(environment: [
                    "MASTHEAD_DOMAIN_URL": "h.example", "MASTHEAD_\(name)": value,
                ])
            }
            #expect(error.map { "\($0)".contains("MASTHEAD_\(name)") && !"\($0)".contains("s3cret") } == true)
        }
    }
}
