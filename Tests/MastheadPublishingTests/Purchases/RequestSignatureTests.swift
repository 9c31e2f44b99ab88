import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct RequestSignatureTests {
    /// The bytes 0 to 31.
    static let nonce = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    @Test(
        "is what the subscriber server computes",
        arguments: [
            ("api/1.5/serial/email?email=reader@example.com", "", "32aa15d327241c824f085322386fea38"),
            ("api/1.5/serial/receipts?receipt=TUlJQg%3D%3D", "", "8fd83480e9542fe86b778492d464445c"),
            (
                "api/1.5/serial/email",
                #"{"email":"reader@example.com","SKUs":["com.example.mag.issue.1"],"free":"true"}"#,
                "bc3d4177b92e7dd6a593b5e11017bd7d"
            ),
        ]
    )
    func vectors(pathAndQuery: String, body: String, expected: String) throws {
        let signature = try RequestSignature(
            nonce: Self.nonce,
            secret: "s3cret",
            pathAndQuery: pathAndQuery,
            body: Data(body.utf8)
        )
        #expect(signature.value == expected)
    }

    @Test(
        "covers what follows the host's first slash",
        arguments: [
            ("https://h/api/x?y=%2F", "api/x?y=%2F"), ("http://[::1]:8080/v2/api", "v2/api"), ("https://h/", ""),
            ("https://h", ""), ("https://h/a?b=/c", "a?b=/c"),
        ]
    )
    func ofRequest(url: String, pathAndQuery: String) throws {
        let request = HTTPRequest(method: .post, url: try #require(URL(string: url)), body: .data(Data("{}".utf8)))
        #expect(
            try RequestSignature(nonce: "n", secret: "s", of: request)
                == RequestSignature(nonce: "n", secret: "s", pathAndQuery: pathAndQuery, body: Data("{}".utf8))
        )
    }

    @Test("takes 32 fresh random bytes for a nonce")
    func nonces() throws {
        let nonces = try (0..<100).map { _ in try RequestSignature.makeNonce() }
        #expect(Set(nonces).count == 100)
        #expect(nonces.allSatisfy { $0.utf8.count == 44 && Data(base64Encoded: $0)?.count == 32 })
    }

    @Test("is not made of a body that nobody has seen: nothing is sent")
    func unreadBody() async throws {
        let stub = StubExecutor { _ in .json("{}") }
        let configuration = NetworkingConfiguration(domainURL: "subscriber.example.com") {
            $0.signer = SubscriberSigner(sharedSecret: "s3cret")
        }
        let pieces = AsyncStream<Data> { $0.finish() }
        let repository = AbstractRepository(configuration: configuration, executor: stub)
        guard case .failure(.invalidRequest) = await repository.performRaw(.post("a", body: .stream(pieces))) else {
            Testing.Issue.record("expected a refusal")
            return
        }
        #expect(stub.requests.isEmpty)
    }
}
