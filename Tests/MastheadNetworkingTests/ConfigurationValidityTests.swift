import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("NetworkingConfiguration validity")
struct ConfigurationValidityTests {
    @Test(
        "takes a host as a name or an address, with the port beside it or within",
        arguments: [
            ("h.example", nil, "https://h.example/"), ("h.example", 8443, "https://h.example:8443/"),
            ("h.example:8443", nil, "https://h.example:8443/"), ("127.0.0.1", 443, "https://127.0.0.1/"),
            ("::1", nil, "https://[::1]/"), ("[::1]", 8080, "https://[::1]:8080/"),
            ("[::1]:8080", nil, "https://[::1]:8080/"), ("my_host", nil, "https://my_host/"),
            ("h.example.", nil, "https://h.example./"),
            ("xn--bcher-kva.example", nil, "https://xn--bcher-kva.example/"),
            ("bücher.example", nil, "https://xn--bcher-kva.example/"),
            ("BÜCHER.Example:8443", nil, "https://xn--bcher-kva.example:8443/"),
            ("例え。テスト", nil, "https://xn--r8jz45g.xn--zckzah/"),
        ] as [(String, Int?, String)]
    )
    func takesHosts(domain: String, port: Int?, expected: String) throws {
        let configuration = NetworkingConfiguration(domainURL: domain, port: port)

        try configuration.validate()

        #expect(try configuration.url(for: "").absoluteString == expected)
    }

    @Test("speaks http when told to, and leaves out the port that is its own")
    func speaksHTTP() throws {
        let configuration = NetworkingConfiguration(domainURL: "h.example", port: 80) { $0.useSecureConnection = false }

        #expect(try configuration.url(for: "x").absoluteString == "http://h.example/x")
    }

    @Test(
        "refuses an impossible host, and says what to change",
        arguments: [
            ("", "empty"), ("https://h.example", "scheme"), ("h.example/v1", "subdomainURL"), ("h.example?x", "path"),
            ("user:password@h.example", "user information"), ("h example", "space"), ("h.example\n", "control"),
            ("h.example\0", "control"), ("a\u{301}／b", "xn--"), ("ü..h", "xn--"), ("-ü.example", "xn--"),
            ("１.ü/x", "path"),
            ("h..example", "host name"), (".", "host name"),
            ("h.example:", "port"), ("h.example:0", "port"), ("h.example:65536", "port"), ("h.example:http", "port"),
            ("h.example:+1", "port"), ("[::1", "bracket"), ("[::1]x", "no port"), ("[h]", "IPv6"), (":::1", "IPv6"),
            ("fe80::1%eth0", "IPv6"), ("999.1.1.1", "IPv4"), ("1.2.3", "IPv4"), ("h%41", "host name"),
        ]
    )
    func refusesHosts(domain: String, hint: String) {
        let reason = invalidity(of: NetworkingConfiguration(domainURL: domain))

        #expect(reason?.contains(hint) == true, "\(reason ?? "accepted")")
        #expect(reason?.contains("password") != true)
    }

    @Test("refuses a port out of range, and one that is given twice", arguments: [0, -1, 65536, Int.max])
    func refusesPorts(port: Int) {
        #expect(invalidity(of: NetworkingConfiguration(domainURL: "h.example", port: port)) != nil)
        #expect(
            invalidity(of: NetworkingConfiguration(domainURL: "h.example:80", port: 8080))?.contains("twice") == true
        )
    }

    @Test("refuses an impossible path", arguments: ["v1?x", "v1#x", "../v1", "v1/./x", "v1//x", "v1\n"])
    func refusesPaths(subdomain: String) {
        let reason = invalidity(of: NetworkingConfiguration(domainURL: "h.example", subdomainURL: subdomain))

        #expect(reason?.contains("subdomainURL") == true)
    }

    @Test("refuses impossible limits, times, fields and files, each by its name")
    func refusesTheRest() {
        let changes: [(String, (inout NetworkingConfiguration) -> Void)] = [
            ("timeout", { $0.timeout = .zero }), ("connectionTimeout", { $0.connectionTimeout = .seconds(-1) }),
            ("totalTimeout", { $0.totalTimeout = .zero }), ("queueTimeout", { $0.queueTimeout = .zero }),
            ("secondsBetweenPolls", { $0.secondsBetweenPolls = .seconds(-1) }),
            ("maximumPollingRetries", { $0.maximumPollingRetries = -1 }),
            ("maximumAttempts", { $0.retry.maximumAttempts = 0 }), ("delay", { $0.retry.baseDelay = .seconds(-1) }),
            ("idempotencyKeyHeader", { $0.retry.idempotencyKeyHeader = "X Key" }),
            ("maximumRedirects", { $0.maximumRedirects = -1 }),
            ("maximumBodySize", { $0.maximumBodySize = 0 }),
            ("maximumConnectionsPerHost", { $0.maximumConnectionsPerHost = 0 }),
            ("X-Trace", { $0.defaultHeaders = ["X-Trace": "hidden\r\nX: y"] }),
            ("defaultHeaders", { $0.defaultHeaders = ["X Trace": "hidden"] }),
            ("encodeAsURL", { $0.encodeAsURL = ["G ET"] }),
            ("clientKey", { $0.clientKey = "" }), ("clientKey", { $0.clientKey = "hidden\n" }),
            ("certificateAuthorityFile", { $0.certificateAuthorityFile = "/nonexistent/ca.pem" }),
        ]
        for (name, change) in changes {
            let reason = invalidity(of: NetworkingConfiguration(domainURL: "h.example", change))
            #expect(reason?.contains(name) == true, "\(name): \(reason ?? "accepted")")
            #expect(reason?.contains("hidden") != true)
        }
    }

    private func invalidity(of configuration: NetworkingConfiguration) -> String? {
        do {
            try configuration.validate()
            return nil
        } catch {
            guard case .invalidConfiguration(let reason) = error else { return nil }
            return reason
        }
    }
}
