import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

@Suite("A compressed body", .timeLimit(.minutes(1)))
struct CompressedBodyTests {
    private let text = String(repeating: "low water, high water, ", count: 100)

    private func post(_ body: RequestBody, headers: HTTPHeaders = [:]) -> Request<Void> {
        .post("reports", headers: headers, body: body)
    }

    private func decoded(_ body: Data) throws -> String {
        String(decoding: try ContentDecoder.decode(body, coded: [.gzip], limit: 1 << 20), as: UTF8.self)
    }

    @Test("is smaller, says that it is gzip, and is what it was")
    func compresses() async throws {
        let server = try ScriptedServer(.status(204))
        let repository = AbstractRepository(configuration: server.configuration())

        try await repository.perform(post(.text(text).compressed().compressed())).get()

        let request = try #require(server.requests.first)
        #expect(request.headers.values(of: "Content-Encoding") == ["gzip"])
        #expect(request.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(request.bodyLength < text.utf8.count / 10)
        #expect(try decoded(request.body) == text)
    }

    @Test("goes along with a redirect that keeps the method, and not with one that asks for a GET")
    func followsRedirects() async throws {
        let server = try ScriptedServer(
            .redirect(to: "/second", status: 307),
            .redirect(to: "/third", status: 303),
            .status(204)
        )
        let repository = AbstractRepository(configuration: server.configuration())

        try await repository.perform(post(.text(text).compressed())).get()

        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "POST", "GET"])
        #expect(requests.map { $0.headers["Content-Encoding"] } == ["gzip", "gzip", nil])
        #expect(try requests.prefix(2).map { try decoded($0.body) } == [text, text])
        #expect(requests.last?.bodyLength == 0)
    }

    @Test("lets a request say what it is anyway, and refuses one that says something else")
    func checksLabel() throws {
        let configuration = NetworkingConfiguration.test()
        let body = RequestBody.text(text).compressed()
        let same = try configuration.makeHTTPRequest(from: post(body, headers: ["content-encoding": "GZIP"]))
        #expect(same.headers.values(of: "Content-Encoding") == ["GZIP"])
        for other in ["br", "gzip, gzip", "identity"] {
            let error = #expect(throws: RepositoryError.self) {
                try configuration.makeHTTPRequest(from: post(body, headers: ["Content-Encoding": other]))
            }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("is none of a file or a stream")
    func refusesStreams() throws {
        let stream = RequestBody.stream(AsyncStream<Data> { $0.finish() }).compressed()
        let error = #expect(throws: RepositoryError.self) {
            try NetworkingConfiguration.test().makeHTTPRequest(from: post(stream))
        }
        guard case .invalidRequest("only a body in memory can be compressed") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("keeps who learns of its progress, before and after")
    func keepsProgress() throws {
        let plain = RequestBody.text(text)
        for body in [plain.onProgress { _ in }.compressed(), plain.compressed().onProgress { _ in }] {
            let request = try NetworkingConfiguration.test().makeHTTPRequest(from: post(body))
            #expect(request.body?.onProgress != nil)
            #expect(request.headers["Content-Encoding"] == "gzip")
            #expect(try decoded(#require(request.body?.data)) == text)
        }
    }

    @Test("shows no more than its size")
    func hidesBytes() throws {
        for type in ["application/json", "application/x-www-form-urlencoded"] {
            let body = RequestBody.data(Data("name=s3cret".utf8), contentType: type).compressed()
            let request = try NetworkingConfiguration.test().makeHTTPRequest(from: post(body))
            #expect(request.curlCommand(for: .test()).contains("--data-raw '[\(request.body?.length ?? 0) bytes]'"))
        }
    }
}
