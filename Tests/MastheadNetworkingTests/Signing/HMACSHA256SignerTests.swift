import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("HMACSHA256Signer", .timeLimit(.minutes(1)))
struct HMACSHA256SignerTests {
    private static let key: Secret = "plantedsignerkey"

    private func verifier(mayOmitDigest: Bool = false) -> SignatureVerifier {
        SignatureVerifier(keys: ["reader-1": Data(Self.key.value.utf8)], mayOmitDigest: mayOmitDigest)
    }

    private func repository(_ server: ScriptedServer, _ signer: HMACSHA256Signer) -> AbstractRepository {
        AbstractRepository(configuration: server.configuration { $0.signer = signer })
    }

    private static let requests: [Request<Void>] = [
        .get("volumes/a%2Fb", query: ["q": "ü & ?", "n": 1]), .get("volumes"),
        .post("volumes", body: .json(["title": "Orbit"] as JSONValue)), .put("volumes/1", body: .text("")),
        Request(method: .delete, path: "volumes/1"), Request(method: .head, path: "volumes"),
        .post("volumes", body: .text(String(repeating: "gzip me ", count: 200)).compressed()),
    ]

    @Test("signs what a server then finds new and whole", arguments: requests.indices)
    func verifies(index: Int) async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key, coveredFields: ["Content-Type", "X-None"])
        let verifier = verifier()
        try await repository(server, signer).perform(Self.requests[index]).get()
        try await repository(server, signer).perform(Self.requests[index]).get()

        for request in server.requests { try verifier.verify(request, at: Date()) }
        #expect(server.requests.count == 2)
        let input = try #require(server.requests[0].headers["Signature-Input"])
        #expect(input.contains("content-type") == (server.requests[0].headers["Content-Type"] != nil))
        // The same once more is a repetition, and later it is late.
        #expect(throws: SignatureVerifier.Refusal.repeated) { try verifier.verify(server.requests[0], at: Date()) }
        #expect(throws: SignatureVerifier.Refusal.stale) {
            try self.verifier().verify(server.requests[0], at: Date(timeIntervalSinceNow: 1000))
        }
    }

    @Test("signs so that no part of the request can be changed")
    func changes() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key)
        let post: Request<Void> = .post("volumes", query: ["a": 1], body: .text("whole"))
        // What another request was signed with, on this one: each differs in one part.
        let others: [Request<Void>] = [
            .put("volumes", query: ["a": 1], body: .text("whole")),
            .post("volume", query: ["a": 1], body: .text("whole")),
            .post("volumes", query: ["a": 2], body: .text("whole")),
            .post("volumes", query: ["a": 1], body: .text("Whole")),
        ]
        try await repository(server, signer).perform(post).get()
        let headers = server.requests[0].headers
        for (index, other) in others.enumerated() {
            let unsigned = AbstractRepository(configuration: server.configuration())
            var forged = other
            for name in ["Signature", "Signature-Input", "Content-Digest"] { forged.headers[name] = headers[name] }
            try await unsigned.perform(forged).get()
            let refusal: SignatureVerifier.Refusal = index == 3 ? .wrongDigest : .wrongSignature
            #expect(throws: refusal) { try verifier().verify(server.requests[index + 1], at: Date()) }
        }
        #expect(throws: SignatureVerifier.Refusal.wrongSignature) {
            try SignatureVerifier(keys: ["reader-1": Data("k".utf8)]).verify(server.requests[0], at: Date())
        }
        #expect(throws: SignatureVerifier.Refusal.wrongKey) {
            try SignatureVerifier(keys: [:]).verify(server.requests[0], at: Date())
        }
    }

    @Test("writes three fields, the same for the same time and nonce")
    func fields() async throws {
        let signer = HMACSHA256Signer(keyID: #"a"b\c"#, key: "a2V5", encoding: .base64) {
            () throws(RepositoryError) in
            "n0"
        }
        let request = HTTPRequest(method: .get, url: try #require(URL(string: "https://example.com/a?b")))
        let date = Date(timeIntervalSince1970: 1_618_884_473.9)
        let fields = try await signer.signature(of: request, at: date)
        #expect(fields.fields.map(\.name) == ["Content-Digest", "Signature-Input", "Signature"])
        #expect(fields["Content-Digest"] == "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
        #expect(
            fields["Signature-Input"]
                == #"sig=("@method" "@authority" "@path" "@query" "content-digest");created=1618884473;keyid="a\"b\\c""#
                + #";alg="hmac-sha256";nonce="n0""#
        )
        #expect(try await signer.signature(of: request, at: date) == fields)
        // The key is the bytes, not their Base64.
        let plain = HMACSHA256Signer(keyID: #"a"b\c"#, key: "key") { () throws(RepositoryError) in "n0" }
        #expect(try await plain.signature(of: request, at: date) == fields)
    }

    @Test("refuses a body that it cannot see, or leaves it unsigned where that was asked for")
    func unreadBodies() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let stream = { @Sendable in
            RequestBody.stream(
                AsyncStream<Data> {
                    $0.yield(Data("streamed".utf8)); $0.finish()
                }
            )
        }
        let refusing = repository(server, HMACSHA256Signer(keyID: "reader-1", key: Self.key))
        let error = await refusing.perform(Request<Void>.post("a", body: stream())).failure
        guard case .invalidRequest(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("unreadBody"))
        #expect(server.requests.isEmpty)

        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key, unreadBody: .unsigned)
        try await repository(server, signer).perform(Request<Void>.post("a", body: stream())).get()
        let request = try await server.request(0)
        #expect(request.text == "streamed")
        #expect(request.headers["Content-Digest"] == nil)
        try verifier(mayOmitDigest: true).verify(request, at: Date())
        #expect(throws: SignatureVerifier.Refusal.weak) { try verifier().verify(request, at: Date()) }
        // A body that it sees is signed all the same.
        try await repository(server, signer).perform(Request<Void>.post("a", body: .text("b"))).get()
        try verifier().verify(try await server.request(1), at: Date())
    }

    @Test(
        "sends nothing without a key or a name that can be sent",
        arguments: [("k", ""), ("", "a"), ("é", "a"), ("k\n", "a")]
    )
    func unusable(keyID: String, key: String) async throws {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test { $0.signer = HMACSHA256Signer(keyID: keyID, key: Secret(key)) },
            executor: executor
        )
        guard case .invalidConfiguration = await repository.perform(Request<Void>.get("a")).failure else {
            Issue.record("expected an invalid configuration")
            return
        }
        #expect(executor.requests.isEmpty)
    }

    @Test("takes no key that is no Base64")
    func base64() async throws {
        let signer = HMACSHA256Signer(keyID: "k", key: "plantedsigner!key", encoding: .base64)
        let request = HTTPRequest(url: try #require(URL(string: "https://example.com/")))
        await #expect(throws: RepositoryError.self) { try await signer.signature(of: request, at: Date()) }
    }

    @Test("shows its key's name and not its key")
    func showsNothing() {
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key)
        var text = "\(signer) " + String(reflecting: signer)
        dump(signer, to: &text)
        #expect(text.contains("reader-1"))
        #expect(!text.contains("planted"))
    }
}
