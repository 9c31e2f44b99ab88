import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// Redirects over real sockets: what each server saw.
@Suite("A redirect", .timeLimit(.minutes(1)))
struct RedirectTests {
    private static let secrets: HTTPHeaders = [
        "Authorization": "Bearer s3cret", "Cookie": "sid=s3cret", "Proxy-Authorization": "Basic s3cret",
        "X-Api-Key": "s3cret", "X-Mine": "s3cret", "X-Plain": "plain",
    ]

    private func repository(
        _ server: ScriptedServer,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: server.configuration {
                $0.secretHeaders.insert("x-mine")
                configure(&$0)
            },
            defaultHeaders: Self.secrets
        )
    }

    private func expectNoSecrets(_ request: ScriptedServer.ReceivedRequest) {
        #expect(!request.headers.fields.contains { $0.value.contains("s3cret") })
        #expect(request.headers["X-Plain"] == "plain")
    }

    // MARK: Case 1

    @Test("case 1: lets no secret reach another port, nor come back with a hop back")
    func otherPort() async throws {
        let home = try ScriptedServer()
        defer { home.stop() }
        let away = try ScriptedServer(.redirect(to: "\(home.baseURL)/back", status: 307))
        defer { away.stop() }
        home.answer(.redirect(to: "\(away.baseURL)/away", status: 307), .status(204))
        try await repository(home).perform(Request<Void>.post("start", body: .text("whole body"))).get()

        #expect(try await home.request(0).headers["X-Mine"] == "s3cret")
        for request in [try await away.request(0), try await home.request(1)] {
            expectNoSecrets(request)
            #expect(request.method == "POST")
            #expect(request.text == "whole body")
        }
        #expect(try await away.request(0).headers["Host"] == "127.0.0.1:\(away.port)")
    }

    @Test("case 1: lets no secret reach another host, not even at the same address and port")
    func otherHost() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        server.answer(.redirect(to: "//localhost:\(server.port)/x"), .redirect(to: "\(server.baseURL)/y"), .status(204))
        try await repository(server).perform(Request<Void>.get("start")).get()

        #expect(
            server.requests.map { $0.headers["Host"] }
                == ["127.0.0.1", "localhost", "127.0.0.1"].map { "\($0):\(server.port)" }
        )
        #expect(try await server.request(0).headers["Authorization"] == "Bearer s3cret")
        expectNoSecrets(try await server.request(1))
        expectNoSecrets(try await server.request(2))
    }

    @Test("case 1: lets no secret reach another scheme, neither up nor, where that is allowed, down")
    func otherScheme() async throws {
        let plain = try ScriptedServer()
        defer { plain.stop() }
        let secure = try ScriptedServer(.redirect(to: "\(plain.baseURL)/down"), .status(204), tls: .selfSigned)
        defer { secure.stop() }
        plain.answer(.redirect(to: "\(secure.baseURL)/up"), .status(204), .status(204))
        let insecure = repository(plain) {
            $0.certificateAuthorityFile = secure.certificateAuthorityFile
            $0.allowsInsecureRedirects = true
        }
        try await insecure.perform(Request<Void>.get("start")).get()

        #expect(plain.requests.map(\.target) == ["/start", "/down"])
        expectNoSecrets(try await secure.request(0))
        expectNoSecrets(try await plain.request(1))
    }

    @Test("case 1: keeps the secrets at the same origin, however that is written")
    func sameOrigin() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        server.answer(
            .redirect(to: "HTTP://127.0.0.1:\(server.port)/a"),
            .redirect(to: "//%31%32%37.0.0.1:\(server.port)/b"),
            .redirect(to: "/c"),
            .redirect(to: "d?x#y"),
            .status(204)
        )
        try await repository(server).perform(Request<Void>.get("start")).get()

        #expect(server.requests.map(\.target) == ["/start", "/a", "/b", "/c", "/d?x"])
        for request in server.requests {
            for field in Self.secrets.fields {
                // That is a proxy's, and there is none.
                let value = field.name == "Proxy-Authorization" ? nil : field.value
                #expect(request.headers[field.name] == value)
            }
        }
    }

    // MARK: Case 2

    @Test(
        "case 2: sends method, body and its type again after 307 and 308",
        arguments: [307, 308],
        [.post, .put, .patch, .delete] as [HTTPMethod]
    )
    func replays(status: Int, method: HTTPMethod) async throws {
        let server = try ScriptedServer(.redirect(to: "../moved?x=1#top", status: status), .json("[1]"))
        defer { server.stop() }
        let request = Request<HTTPResponse>(method: method, path: "a/b", body: .text("whole body"))
        let response = try await repository(server).performRaw(request).get()

        #expect(response.url.absoluteString == "\(server.baseURL)/moved?x=1")
        let (first, second) = (try await server.request(0), try await server.request(1))
        #expect(second.method == method.rawValue)
        #expect(second.target == "/moved?x=1")
        #expect(second.text == "whole body")
        #expect(second.headers["Content-Type"] == first.headers["Content-Type"])
        #expect(second.headers["Content-Length"] == "10")
    }

    @Test("case 2: does not send a stream a second time, nor without its bytes", arguments: [301, 307, 308])
    func streams(status: Int) async throws {
        let server = try ScriptedServer { _ in .redirect(to: "/moved", status: status) }
        defer { server.stop() }
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("once".utf8))
            continuation.finish()
        }
        let request = Request<Void>.put("start", body: .stream(chunks, length: 4))
        guard case .bodyNotReplayable? = await repository(server).perform(request).failure else {
            Issue.record("expected a body that is gone")
            return
        }
        #expect(server.requests.map(\.text) == ["once"])
    }

    // MARK: Case 3

    @Test(
        "case 3: makes a GET without body of what RFC 9110 says, and leaves the rest as it is",
        arguments: [
            (301, .post, "GET"), (302, .post, "GET"), (303, .post, "GET"), (303, .put, "GET"), (303, .delete, "GET"),
            (301, .put, "PUT"), (302, .put, "PUT"), (301, .delete, "DELETE"), (302, .patch, "PATCH"),
        ] as [(Int, HTTPMethod, String)]
    )
    func adapts(status: Int, method: HTTPMethod, expected: String) async throws {
        let server = try ScriptedServer(.redirect(to: "/moved", status: status), .status(204))
        defer { server.stop() }
        let request = Request<Void>(method: method, path: "start", body: .text("whole body"))
        try await repository(server).perform(request).get()

        let second = try await server.request(1)
        #expect(second.method == expected)
        #expect(second.text == (expected == "GET" ? "" : "whole body"))
        #expect(second.headers["Content-Length"] == (expected == "GET" ? nil : "10"))
        #expect((second.headers["Content-Type"] == nil) == (expected == "GET"))
    }

    @Test("case 3: asks with HEAD again", arguments: [301, 302, 303, 307, 308])
    func head(status: Int) async throws {
        let server = try ScriptedServer(.redirect(to: "/moved", status: status), .status(204))
        defer { server.stop() }
        try await repository(server).perform(Request<Void>(method: .head, path: "start")).get()
        #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    // MARK: Ends

    @Test("is an error from https to http, and sends nothing there")
    func insecure() async throws {
        let plain = try ScriptedServer(.status(204))
        defer { plain.stop() }
        let secure = try ScriptedServer(.redirect(to: "\(plain.baseURL)/"), tls: .selfSigned)
        defer { secure.stop() }
        guard case .invalidURL? = await repository(secure).perform(Request<Void>.get("start")).failure else {
            Issue.record("expected a refusal")
            return
        }
        #expect(plain.connectionCount == 0)
    }

    @Test("that names no target is the answer", arguments: [HTTPHeaders(), ["Location": ""]])
    func withoutTarget(headers: HTTPHeaders) async throws {
        let server = try ScriptedServer(.status(302, headers: headers))
        defer { server.stop() }
        guard case .requestError(let refusal)? = await repository(server).perform(Request<Void>.get("start")).failure
        else {
            Issue.record("expected the redirect itself")
            return
        }
        #expect(refusal.status == 302)
    }

    @Test("in a loop ends, and so does one too many", arguments: [10, 1])
    func loops(limit: Int) async throws {
        let server = try ScriptedServer { request in .redirect(to: request.path == "/a" ? "/b" : "/a") }
        defer { server.stop() }
        let error = await repository(server) { $0.maximumRedirects = limit }.perform(Request<Void>.get("a")).failure
        guard case .tooManyRedirects(limit: limit)? = error else {
            Issue.record("expected too many redirects, got \(String(describing: error))")
            return
        }
        #expect(server.requests.map(\.path) == ["/a", "/b"])
    }
}
