import Foundation
import MastheadCrypto
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

    /// One thing that somebody on the way may do to a request, and what a server says to it.
    private struct Change: Sendable {
        let name: String
        let refusal: SignatureVerifier.Refusal
        let make: @Sendable (inout SignatureVerifier.Received) throws -> Void

        init(
            _ name: String,
            _ refusal: SignatureVerifier.Refusal = .wrongSignature,
            _ make: @escaping @Sendable (inout SignatureVerifier.Received) throws -> Void
        ) {
            (self.name, self.refusal, self.make) = (name, refusal, make)
        }
    }

    private static let alterations: [Change] = [
        Change("method") { $0.method = "PUT" },
        Change("host") { $0.headers["Host"] = "evil.example" },
        Change("path") { $0.path = "/volume" },
        Change("query") { $0.query = "a=2" },
        Change("no query") { $0.query = nil },
        Change("body", .wrongDigest) { $0.body = Data("Whole".utf8) },
        Change("digest") { $0.headers["Content-Digest"] = try digest(of: "Whole") },
        Change("body and digest") {
            $0.body = Data("Whole".utf8)
            $0.headers["Content-Digest"] = try digest(of: "Whole")
        },
        Change("no digest", .malformed) { $0.headers["Content-Digest"] = nil },
        Change("covered field") { $0.headers["Content-Type"] = "text/html" },
        Change("second value") { $0.headers.append("text/html", for: "Content-Type") },
        Change("no covered field", .malformed) { $0.headers["Content-Type"] = nil },
        Change("unnamed field") { try replace(#" "content-type""#, by: "", in: &$0) },
        Change("unnamed digest", .weak) { try replace(#" "content-digest""#, by: "", in: &$0) },
        Change("unnamed query", .weak) { try replace(#" "@query""#, by: "", in: &$0) },
        Change("order") { try replace(#""@path" "@query""#, by: #""@query" "@path""#, in: &$0) },
        Change("time") { try replace("created=1", by: "created=2", in: &$0) },
        Change("nonce") { try replace(#"nonce=""#, by: #"nonce="A"#, in: &$0) },
        Change("key") { try replace("reader-1", by: "reader-2", in: &$0) },
        Change("algorithm", .malformed) { try replace("hmac-sha256", by: "none", in: &$0) },
        Change("code") { $0.headers["Signature"] = "sig=:\(Data(count: 32).base64EncodedString()):" },
        Change("no signature", .unsigned) { $0.headers["Signature"] = nil },
    ]

    private static func digest(of text: String) throws -> String {
        "sha-256=:\(Data(try Digest.sha256(text.utf8).bytes).base64EncodedString()):"
    }

    private static func replace(_ text: String, by other: String, in request: inout SignatureVerifier.Received) throws {
        let input = try #require(request.headers["Signature-Input"])
        try #require(input.contains(text))
        request.headers["Signature-Input"] = input.replacing(text, with: other, maxReplacements: 1)
    }

    @Test("signs so that no part of the request can be changed", arguments: alterations.indices)
    func changes(index: Int) async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key, coveredFields: ["Content-Type"])
        let post: Request<Void> = .post("volumes", query: ["a": 1], body: .text("whole"))
        try await repository(server, signer).perform(post).get()
        let keys = ["reader-1": Data(Self.key.value.utf8), "reader-2": Data("another".utf8)]
        var request = SignatureVerifier.Received(server.requests[0])
        try SignatureVerifier(keys: keys).verify(request, at: Date())

        let change = Self.alterations[index]
        try change.make(&request)
        #expect(throws: change.refusal, "\(change.name)") {
            try SignatureVerifier(keys: keys).verify(request, at: Date())
        }
    }

    @Test("signs so that only who has the key can check it")
    func keys() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key)
        try await repository(server, signer).perform(Request<Void>.get("volumes")).get()
        try verifier().verify(server.requests[0], at: Date())
        #expect(throws: SignatureVerifier.Refusal.wrongSignature) {
            try SignatureVerifier(keys: ["reader-1": Data("k".utf8)]).verify(server.requests[0], at: Date())
        }
        #expect(throws: SignatureVerifier.Refusal.wrongKey) {
            try SignatureVerifier(keys: [:]).verify(server.requests[0], at: Date())
        }
    }

    @Test(
        "signs the host that the server sees, if the request names one of its own",
        arguments: ["Api.Example.com", "api.example.com:80", "api.example.com:8443", "[::1]:9"]
    )
    func ownHost(host: String) async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key)
        try await repository(server, signer).perform(Request<Void>.get("a", headers: ["Host": host])).get()
        #expect(server.requests[0].headers.values(of: "Host") == [host])
        try verifier().verify(server.requests[0], at: Date())
    }

    @Test(
        "sends nothing to a host of the request's own that cannot be signed",
        arguments: ["", "a/b", "a@b", "b\u{FC}cher.example", "a%41", "a:b"]
    )
    func badHost(host: String) async throws {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test { $0.signer = HMACSHA256Signer(keyID: "k", key: Self.key) },
            executor: executor
        )
        let error = await repository.perform(Request<Void>.get("a", headers: ["Host": host])).failure
        #expect(error?.label == "invalidRequest")
        #expect(executor.requests.isEmpty)
    }

    @Test("covers what a download adds, each time that it asks")
    func downloads() async throws {
        let folder = try TestFolder()
        let tag = #""v1""#
        let whole = ScriptedServer.Answer.data(Data("0123456789".utf8)).adding(tag, for: "ETag")
        func part(_ range: String, _ text: String, _ tag: String) -> ScriptedServer.Answer {
            .data(Data(text.utf8), status: 206).adding(tag, for: "ETag")
                .adding("bytes \(range)/10", for: "Content-Range")
        }
        let server = try ScriptedServer(
            whole.cut(afterBodyBytes: 4),
            part("4-5", "45", tag),
            part("6-9", "6789", #""v2""#),
            whole
        )
        defer { server.stop() }
        let names = ["range", "if-range", "accept-encoding"]
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key, coveredFields: names)
        let repository = repository(server, signer)
        _ = await repository.download(.get("a"), to: folder.path("a"))
        #expect(try await repository.download(.get("a"), to: folder.path("a")).get().size == 10)

        let verifier = verifier()
        for request in server.requests { try verifier.verify(request, at: Date()) }
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=4-", "bytes=6-", nil])
        let covered = server.requests.map { request in
            names.filter { request.headers["Signature-Input"]?.contains("\"\($0)\"") == true }
        }
        #expect(covered == [["accept-encoding"], names, names, ["accept-encoding"]])
    }

    @Test("signs the digest that a request has of a body it cannot see", arguments: [true, false])
    func ownDigest(mayBeUnsigned: Bool) async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let signer = HMACSHA256Signer(
            keyID: "reader-1",
            key: Self.key,
            unreadBody: mayBeUnsigned ? .unsigned : .refused
        )
        let pieces = { @Sendable in
            AsyncStream<Data> {
                $0.yield(Data("streamed".utf8)); $0.finish()
            }
        }
        for text in ["streamed", "another"] {
            let headers: HTTPHeaders = ["Content-Digest": try Self.digest(of: text)]
            try await repository(server, signer).perform(
                Request<Void>.post("a", headers: headers, body: .stream(pieces()))
            ).get()
        }
        // It must be there, and it must be the body's.
        try verifier().verify(try await server.request(0), at: Date())
        let lie = try await server.request(1)
        #expect(throws: SignatureVerifier.Refusal.wrongDigest) { try verifier().verify(lie, at: Date()) }
        // Of a body that it sees, its own counts.
        try await repository(server, signer).perform(
            Request<Void>.post("a", headers: ["Content-Digest": "sha-256=:AAAA:"], body: .text("b"))
        ).get()
        try verifier().verify(try await server.request(2), at: Date())
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

    @Test("names no component twice, however often and in which case it was named")
    func namesOnce() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let names = ["Content-Digest", "content-type", "Content-Type", "X-None", "X-None"]
        let signer = HMACSHA256Signer(keyID: "reader-1", key: Self.key, coveredFields: names)
        try await repository(server, signer).perform(.post("volumes", body: .text("Orbit"))).get()

        let input = try #require(server.requests[0].headers["Signature-Input"])
        #expect(input.hasPrefix(#"sig=("@method" "@authority" "@path" "@query" "content-digest" "content-type");"#))
        try verifier().verify(server.requests[0], at: Date())
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
