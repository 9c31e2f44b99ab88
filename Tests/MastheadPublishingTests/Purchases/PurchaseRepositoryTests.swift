import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct PurchaseRepositoryTests {
    private let secret: Secret = "s3cret"

    /// Checks that a request is signed over what the server saw of it.
    private func expectSigned(
        _ request: ScriptedServer.ReceivedRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let nonce = try #require(request.headers["X-Serial-Nonce"], sourceLocation: sourceLocation)
        let signature = try RequestSignature(
            nonce: nonce,
            secret: secret,
            pathAndQuery: String(request.target.dropFirst()),
            body: request.body
        )
        #expect(request.headers["X-Serial-MD5"] == signature.value, sourceLocation: sourceLocation)
        #expect(request.headers["Authorization"] == nil, sourceLocation: sourceLocation)
    }

    private func repository(_ server: ScriptedServer, below path: String? = nil) -> PurchaseRepository {
        // The key is there, and must not be sent.
        PurchaseRepository(configuration: server.catalogue { $0.subdomainURL = path }, sharedSecret: secret)
    }

    @Test("asks for the SKUs of an e-mail address", arguments: ["reader@example.com", "a+b c%&?#/ü@example.com"])
    func email(address: String) async throws {
        let server = try ScriptedServer(.json(#"["a.b","c.d","a.b"]"#))
        defer { server.stop() }
        let skus = try await repository(server).skus(forEmail: address).get()
        #expect(skus == ["a.b", "c.d"])
        let request = try await server.request(0)
        #expect(request.method == "GET")
        #expect(request.path == "/api/1.5/serial/email")
        let query = try #require(request.query)
        #expect(query.hasPrefix("email="))
        #expect(query.dropFirst(6).removingPercentEncoding == address)
        #expect(!query.contains { "+ &".contains($0) })
        try expectSigned(request)
    }

    @Test("has a receipt verified and reads its SKUs")
    func receipt() async throws {
        let server = try ScriptedServer(.json(#"["a.b"]"#))
        defer { server.stop() }
        let receipt = Data([0xFB, 0xEF, 0xBE, 0xFF])
        #expect(try await repository(server).skus(verifying: receipt).get() == ["a.b"])
        let request = try await server.request(0)
        #expect(request.method == "POST")
        #expect(request.target == "/api/1.5/serial/receipts?receipt=%2B%2B%2B%2B%2Fw%3D%3D")
        #expect(request.body.isEmpty)
        try expectSigned(request)
    }

    @Test("takes any accepting answer in JSON for a verification", arguments: ["[]", "{}", "true", #""ok""#])
    func verification(body: String) async throws {
        let server = try ScriptedServer(.json(body), .text("<html>", status: 200), .status(402))
        defer { server.stop() }
        let repository = repository(server)
        #expect(await repository.verification(of: Data("r".utf8)).error == nil)
        guard case .jsonError = await repository.verification(of: Data("r".utf8)).error else {
            Testing.Issue.record("a page is no verification")
            return
        }
        guard case .requestError = await repository.verification(of: Data("r".utf8)).error else {
            Testing.Issue.record("a refusal is no verification")
            return
        }
    }

    @Test("attaches SKUs to an e-mail address in one body, signed as it is sent")
    func attach() async throws {
        let server = try ScriptedServer(.status(204), .text("whatever"))
        defer { server.stop() }
        let repository = repository(server, below: "/subscriber/")
        try await repository.attach(skus: ["com.example/mag", "x"], to: "reader@example.com").get()
        try await repository.attach(skus: ["x"], to: "reader@example.com", free: false).get()
        let first = try await server.request(0)
        #expect(first.method == "POST")
        #expect(first.target == "/subscriber/api/1.5/serial/email")
        #expect(first.headers["Content-Type"] == "application/json")
        #expect(first.text == #"{"email":"reader@example.com","SKUs":["com.example/mag","x"],"free":"true"}"#)
        #expect(try await server.request(1).text == #"{"email":"reader@example.com","SKUs":["x"]}"#)
        for request in server.requests { try expectSigned(request) }
    }

    @Test("takes a fresh nonce for each request")
    func nonces() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let repository = repository(server)
        for _ in 0..<20 { _ = await repository.skus(forEmail: "reader@example.com") }
        #expect(Set(server.requests.compactMap { $0.headers["X-Serial-Nonce"] }).count == 20)
    }

    @Test("signs each attempt anew, over what an interceptor made of it, and nothing that goes elsewhere")
    func attempts() async throws {
        struct Interceptor: RequestInterceptor {
            func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
                guard let url = URL(string: request.url.absoluteString + "&app=1") else { return }
                request.url = url
            }
        }
        let server = try ScriptedServer()
        defer { server.stop() }
        let away = try ScriptedServer(.json("[]"))
        defer { away.stop() }
        server.answer(.status(503, headers: ["Retry-After": "0"]), .redirect(to: "\(away.baseURL)/", status: 307))
        let configuration = server.configuration {
            $0.interceptor = Interceptor()
            $0.retry = .standard
        }
        let repository = PurchaseRepository(configuration: configuration, sharedSecret: secret)
        #expect(try await repository.skus(forEmail: "reader").get() == [])

        for index in 0..<2 {
            let request = try await server.request(index)
            #expect(request.target == "/api/1.5/serial/email?email=reader&app=1")
            try expectSigned(request)
        }
        #expect(Set(server.requests.map { $0.headers["X-Serial-Nonce"] }).count == 2)
        let request = try await away.request(0)
        #expect(!request.headers.fields.contains { $0.name.hasPrefix("X-Serial") })
    }

    @Test("shares its signer with an app's own repositories")
    func signer() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }
        let configuration = server.configuration { $0.signer = SubscriberSigner(sharedSecret: secret) }
        let repository = AbstractRepository(configuration: configuration)
        try await repository.perform(Request<Void>.post("own/call", body: .text("b"))).get()
        try expectSigned(try await server.request(0))
        var text = "\(SubscriberSigner(sharedSecret: secret))"
        dump(SubscriberSigner(sharedSecret: secret), to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test("sends the documented signature for the documented request")
    func vector() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }
        let repository = PurchaseRepository(
            configuration: server.configuration(),
            sharedSecret: secret,
            executor: LibcurlExecutor()
        ) { RequestSignatureTests.nonce }
        try await repository.attach(skus: ["com.example.mag.issue.1"], to: "reader@example.com").get()
        #expect(try await server.request(0).headers["X-Serial-MD5"] == "bc3d4177b92e7dd6a593b5e11017bd7d")
    }

    @Test("sends nothing when there is nothing to say")
    func refusals() async throws {
        let stub = StubExecutor { _ in .json("[]") }
        let configuration = NetworkingConfiguration(domainURL: "subscriber.example.org")
        let repository = PurchaseRepository(configuration: configuration, sharedSecret: secret, executor: stub)
        for error in [
            await repository.skus(forEmail: "").error, await repository.skus(verifying: Data()).error,
            await repository.verification(of: Data()).error, await repository.attach(skus: [], to: "a@b").error,
            await repository.attach(skus: ["x"], to: "").error,
        ] {
            guard case .invalidRequest = error else {
                Testing.Issue.record("expected an invalid request")
                return
            }
        }
        let secretless = PurchaseRepository(configuration: configuration, sharedSecret: "", executor: stub)
        guard case .invalidConfiguration = await secretless.skus(forEmail: "a@b").error else {
            Testing.Issue.record("expected an invalid configuration")
            return
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("shows no secret and no e-mail address in what it says of itself and of its errors")
    func descriptions() async throws {
        let stub = StubExecutor { _ in .text("reader@example.com s3cret", status: 403) }
        let configuration = NetworkingConfiguration(domainURL: "subscriber.example.org")
        let repository = PurchaseRepository(configuration: configuration, sharedSecret: secret, executor: stub)
        let error = try #require(await repository.skus(forEmail: "reader@example.com").error)
        let purchase = Purchase(sku: "x", mode: .web, user: "reader@example.com")
        var dumped = ""
        dump(repository, to: &dumped)
        dump(purchase, to: &dumped)
        for text in ["\(error)", "\(repository)", "\(purchase)", "\(purchase.id)", dumped] {
            #expect(!text.contains("s3cret"))
            #expect(!text.contains("reader@example.com"))
        }
    }

    @Test(
        "reports an answer that is no array of SKUs",
        arguments: [("{}", ""), (#"["a",7]"#, "[1]"), (#"[""]"#, "[0]")]
    )
    func wrongAnswer(body: String, path: String) async throws {
        let server = try ScriptedServer(.json(body))
        defer { server.stop() }
        guard case .decodeError(let failure) = await repository(server).skus(forEmail: "a@b").error else {
            Testing.Issue.record("expected a decoding error")
            return
        }
        #expect(failure.codingPath == path)
    }
}
