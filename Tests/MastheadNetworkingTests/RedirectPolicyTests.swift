import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("A redirect policy")
struct RedirectPolicyTests {
    private let source = "https://api.example.com/v2/volumes?limit=1"

    private func request(_ method: HTTPMethod = .get, _ url: String? = nil) throws -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: try #require(URL(string: url ?? source)),
            headers: [
                "Authorization": "Bearer s3cret", "Cookie": "sid=s3cret", "Proxy-Authorization": "Basic s3cret",
                "X-API-Key": "s3cret", "X-Mine": "s3cret", "Accept": "application/json", "Content-Type": "text/plain",
                "Content-Encoding": "identity", "Host": "api.example.com",
            ],
            body: method == .get || method == .head ? nil : .data(Data("body".utf8))
        )
    }

    private func policy(_ configure: (inout NetworkingConfiguration) -> Void = { _ in }) -> RedirectPolicy {
        RedirectPolicy(
            .test {
                $0.secretHeaders.insert("X-MINE")
                configure(&$0)
            }
        )
    }

    @Test(
        "resolves the target, and sends no fragment",
        arguments: [
            ("https://api.example.com/v3", "https://api.example.com/v3"),
            ("/v3/./a/../b", "https://api.example.com/v3/b"), ("issues", "https://api.example.com/v2/issues"),
            ("../../../x", "https://api.example.com/x"), ("?page=2", "https://api.example.com/v2/volumes?page=2"),
            ("//media.example.com/x#top", "https://media.example.com/x"),
            ("#top", "https://api.example.com/v2/volumes?limit=1"),
            ("https://media.example.com", "https://media.example.com/"),
            ("/a b/ü?q=ö|%C3%BC", "https://api.example.com/a%20b/%C3%BC?q=%C3%B6%7C%C3%BC"),
            ("/a\\b", "https://api.example.com/a%5Cb"), ("/50%/a%20b", "https://api.example.com/50%25/a%20b"),
            ("?q=100%&s=a%2Fb%2", "https://api.example.com/v2/volumes?q=100%25&s=a%2Fb%252"),
            ("/.//media.example.com/", "https://api.example.com//media.example.com/"),
            ("//bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
            ("https://b%C3%BCcher.example:8443/", "https://xn--bcher-kva.example:8443/"),
            ("/\u{301}x", "https://api.example.com/%CC%81x"),
        ]
    )
    func resolves(location: String, expected: String) throws {
        var policy = policy()
        let post = try request(.post)
        let next = try policy.next(after: .answer(302, ["Location": location]), to: post)
        #expect(next?.url.absoluteString == expected)
    }

    @Test(
        "changes the method as RFC 9110 says, and never sends half a body",
        arguments: [
            (301, .get, .get), (301, .head, .head), (301, .post, .get), (301, .put, .put), (301, .delete, .delete),
            (302, .post, .get), (302, .put, .put), (302, .patch, .patch), (302, .head, .head),
            (303, .get, .get), (303, .head, .head), (303, .post, .get), (303, .put, .get), (303, .delete, .get),
            (307, .post, .post), (307, .put, .put), (308, .post, .post), (308, .delete, .delete),
        ] as [(Int, HTTPMethod, HTTPMethod)]
    )
    func adaptsMethods(status: Int, method: HTTPMethod, expected: HTTPMethod) throws {
        var policy = policy()
        let first = try request(method)
        let next = try #require(try policy.next(after: .answer(status, ["Location": "/v3"]), to: first))
        #expect(next.method == expected)
        if expected == method {
            #expect(next.body == first.body)
            #expect(next.headers["Content-Type"] == "text/plain")
        } else {
            #expect(next.body == nil)
            #expect(next.headers["Content-Type"] == nil)
            #expect(next.headers["Content-Encoding"] == nil)
        }
    }

    @Test(
        "lets no secret cross to another host, port or scheme, nor come back",
        arguments: ["https://media.example.com/", "https://api.example.com:8443/", "https://api.example.com./"]
    )
    func dropsSecrets(target: String) throws {
        var policy = policy()
        let away = try #require(try policy.next(after: .answer(307, ["Location": target]), to: request()))
        #expect(away.headers.fields.map(\.name) == ["Accept", "Content-Type", "Content-Encoding"])
        let back = try #require(
            try policy.next(after: .answer(307, ["Location": "https://api.example.com/back"]), to: away)
        )
        #expect(!back.headers.fields.contains { $0.value.contains("s3cret") })
    }

    @Test("an upgrade from http to https is another origin too")
    func dropsSecretsOnUpgrade() throws {
        var policy = policy()
        let first = try request(.get, "http://api.example.com/")
        let next = try policy.next(after: .answer(301, ["Location": "https://api.example.com/"]), to: first)
        #expect(next?.headers["Authorization"] == nil)
    }

    @Test("keeps the secrets within an origin, however it is spelt")
    func keepsSecrets() throws {
        var policy = policy()
        let target = "HTTPS://API.example.com:443/v3"
        let next = try policy.next(after: .answer(302, ["Location": target]), to: request())
        #expect(next?.headers == (try request().headers))
    }

    @Test(
        "refuses targets that no redirect may lead to",
        arguments: [
            "http://api.example.com/", "ftp://api.example.com/", "file:///etc/passwd", "javascript:alert(1)",
            "https://user@api.example.com/", "https://user:pw@api.example.com/", "https://", "https://a b/",
            "/a\u{1}b", "/a\tb", "https://api.example.com:99999/", "https://api.example.com\\@evil.example/",
            "mailto:a@b.example",
        ]
    )
    func refuses(location: String) throws {
        var policy = policy()
        let first = try request()
        let error = #expect(throws: RepositoryError.self) {
            try policy.next(after: .answer(302, ["Location": location]), to: first)
        }
        guard case .invalidURL = error else {
            Issue.record("expected an invalid URL, got \(String(describing: error))")
            return
        }
    }

    @Test("follows as many redirects as it may, and not one more")
    func limits() throws {
        var policy = policy { $0.maximumRedirects = 3 }
        var request = try request()
        for hop in 1...3 {
            request = try #require(try policy.next(after: .answer(302, ["Location": "/\(hop)"]), to: request))
        }
        let last = request
        let error = #expect(throws: RepositoryError.self) {
            try policy.next(after: .answer(302, ["Location": "/4"]), to: last)
        }
        guard case .tooManyRedirects(limit: 3) = error else {
            Issue.record("expected too many redirects, got \(String(describing: error))")
            return
        }
    }

    @Test("finds a loop, the first request in it too", arguments: ["/v2/volumes?limit=1", "/other"])
    func findsLoops(target: String) throws {
        var policy = policy()
        let hop = try #require(try policy.next(after: .answer(302, ["Location": "/other"]), to: request()))
        let error = #expect(throws: RepositoryError.self) {
            try policy.next(after: .answer(302, ["Location": target]), to: hop)
        }
        guard case .tooManyRedirects = error else {
            Issue.record("expected a loop, got \(String(describing: error))")
            return
        }
    }

    @Test("a POST that is sent on to a GET of its own URL is no loop")
    func postThenGet() throws {
        var policy = policy()
        let next = try policy.next(after: .answer(303, ["Location": source]), to: request(.post))
        #expect(next?.method == .get)
    }

    @Test(
        "takes an answer for final that names no target or is no redirect",
        arguments: [200, 300, 304, 305, 306, 404]
    )
    func final(status: Int) throws {
        var policy = policy()
        let first = try request()
        #expect(try policy.next(after: .answer(status, ["Location": "/x"]), to: first) == nil)
        #expect(try policy.next(after: .answer(302), to: first) == nil)
        #expect(try policy.next(after: .answer(302, ["Location": ""]), to: first) == nil)
    }

    @Test("follows none when none may be followed")
    func followsNone() throws {
        var policy = policy { $0.maximumRedirects = 0 }
        #expect(try policy.next(after: .answer(302, ["Location": "/x"]), to: request()) == nil)
    }

    @Test("does not choose between two targets")
    func severalTargets() throws {
        var policy = policy()
        var headers: HTTPHeaders = ["Location": "/x"]
        headers.append("/y", for: "location")
        let answer = HTTPResponse.answer(302, headers)
        let first = try request()
        #expect(throws: RepositoryError.self) { try policy.next(after: answer, to: first) }
    }
}
