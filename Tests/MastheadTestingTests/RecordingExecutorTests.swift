import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("RecordingExecutor", .timeLimit(.minutes(1)))
struct RecordingExecutorTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example.com:8443", subdomainURL: "/v2") {
        $0.clientKey = "k3y-0f-0urs"
    }

    private func request(_ target: String) throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://api.example.com:8443\(target)")))
    }

    @Test("writes down what a stub gives back later, to the byte")
    func records() async throws {
        let folder = try Folder()
        let bytes = Data((0...255).map { UInt8($0) }) + Data("\r\n\r\n".utf8)
        let source = StubExecutor { _ in
            .init(
                status: 203,
                headers: ["Content-Type": "image/png", "Content-Length": "9", "ETag": "\"1\""],
                body: bytes
            )
        }
        let recorder = try RecordingExecutor(source, folder: folder.path)
        let recorded = try await recorder.execute(try request("/v2/covers/7?size=2"), configuration)
        #expect(recorded.headers["Content-Length"] == "9")

        #expect(try folder.names == ["GET-covers-7_size=2.http"])
        let stub = try StubExecutor(folder: folder.path)
        let response = try await stub.execute(try request("/v2/covers/7?size=2"), configuration)
        #expect(response.status == 203)
        #expect(response.headers == ["Content-Type": "image/png", "ETag": "\"1\""])
        #expect(response.body == bytes)
    }

    @Test("keeps the answers of one request apart, in order")
    func numbers() async throws {
        let folder = try Folder(["GET-jobs-7.http": "of an earlier run"])
        let server = try ScriptedServer(.status(202), .status(202), .text("done"))
        defer { server.stop() }
        let configuration = server.configuration()
        let recorder = try RecordingExecutor(folder: folder.path)
        let request = HTTPRequest(url: server.baseURL.appending(path: "jobs/7"))
        for _ in 0..<3 { _ = try await recorder.execute(request, configuration) }

        #expect(try folder.names == ["GET-jobs-7.http", "GET-jobs-7~2.http", "GET-jobs-7~3.http"])
        let stub = try StubExecutor(folder: folder.path)
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await stub.execute(request, configuration).status) }
        #expect(statuses == [202, 202, 200, 200])
    }

    @Test("writes no secret: not in a name, a header or a body")
    func hidesSecrets() async throws {
        let folder = try Folder()
        let secrets = ["s3cr3t-1", "s3cr3t-2", "s3cr3t-3", "s3cr3t-4", "reader@example.com", "k3y-0f-0urs"]
        let source = StubExecutor { request in
            let headers: HTTPHeaders = ["Set-Cookie": "id=s3cr3t-1", "X-Api-Key": "s3cr3t-2", "X-Kept": "kept"]
            guard request.url.path().hasSuffix("login") else {
                return .text("your key is k3y-0f-0urs.", headers: headers)
            }
            return .json(
                #"{"user": {"accessToken": "s3cr3t-3", "name": "kept", "contact": "reader@example.com"}, "pin": 1234}"#,
                headers: headers
            )
        }
        let recorder = try RecordingExecutor(source, folder: folder.path)
        let login = try await recorder.execute(try request("/v2/login?token=s3cr3t-4&page=2"), configuration)
        #expect(String(decoding: login.body, as: UTF8.self).contains("s3cr3t-3"))
        _ = try await recorder.execute(try request("/v2/readers/reader@example.com/key"), configuration)

        let names = try folder.names
        #expect(names == ["GET-login_token=[redacted]_page=2.http", "GET-readers-[redacted]-key.http"])
        for name in names {
            let text = try name + folder.text(of: name)
            for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
            #expect(text.contains("kept"))
        }
        #expect(
            try folder.text(of: names[0])
                .hasSuffix(#"{"pin":0,"user":{"accessToken":"[redacted]","contact":"[redacted]","name":"kept"}}"#)
        )

        // The same requests find them, whatever the secret is this time.
        let stub = try StubExecutor(folder: folder.path)
        #expect(try await stub.execute(try request("/v2/login?token=other&page=2"), configuration).status == 200)
        #expect(try await stub.execute(try request("/v2/readers/else@example.com/key"), configuration).status == 200)
    }

    @Test("leaves a body without secrets as it came, and takes out what it is told to")
    func redacts() async throws {
        let folder = try Folder()
        let body = #"{ "b" : 1.0, "a" : [ ] , "note": "private" }"#
        let recorder = try RecordingExecutor(StubExecutor { _ in .json(body) }, folder: folder.path)
        _ = try await recorder.execute(try request("/v2/a"), configuration)
        #expect(try folder.text(of: "GET-a.http") == "HTTP/1.1 200\r\nContent-Type: application/json\r\n\r\n\(body)")

        let own = try RecordingExecutor(StubExecutor { _ in .json(body) }, folder: folder.path) {
            $0.body = Data("{}".utf8)
        }
        _ = try await own.execute(try request("/v2/a"), configuration)
        #expect(try folder.text(of: "GET-a.http").hasSuffix("\r\n\r\n{}"))
    }

    @Test("takes out a key that is part of the mark itself")
    func hidesOddKey() async throws {
        let folder = try Folder()
        let recorder = try RecordingExecutor(StubExecutor { _ in .text("red, redder") }, folder: folder.path)
        let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.clientKey = "red" }
        _ = try await recorder.execute(try request("/a"), configuration)
        #expect(try folder.text(of: "GET-a.http").hasSuffix("\r\n\r\n[redacted], [redacted]der"))
    }

    @Test("shortens a name that no folder takes, and finds it again")
    func shortens() async throws {
        let folder = try Folder()
        let target = "/v2/articles/" + (1...100).map { "a\($0)" }.joined(separator: ",")
        let recorder = try RecordingExecutor(StubExecutor { _ in .json("[]") }, folder: folder.path)
        _ = try await recorder.execute(try request(target), configuration)
        _ = try await recorder.execute(try request(target + ",b"), configuration)
        let names = try folder.names
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.utf8.count < 210 && $0.hasPrefix("GET-articles-a1,a2,a3") })
        let stub = try StubExecutor(folder: folder.path)
        #expect(try await stub.execute(try request(target), configuration).status == 200)
    }

    @Test("writes nothing for a request that fails, and says when it cannot write")
    func fails() async throws {
        let folder = try Folder()
        let failing = try RecordingExecutor(StubExecutor { _ in .failure(.noNetworkConnection) }, folder: folder.path)
        await #expect(throws: RepositoryError.self) { try await failing.execute(try request("/v2/a"), configuration) }
        #expect(try folder.names == [])

        let recorder = try RecordingExecutor(StubExecutor { _ in .json("[]") }, folder: "\(folder.path)/gone")
        try FileManager.default.removeItem(atPath: "\(folder.path)/gone")
        let error = await #expect(throws: RepositoryError.self) {
            try await recorder.execute(try request("/v2/a"), configuration)
        }
        guard case .customError(let custom as UnusableAnswer) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(custom.file == "GET-a.http")
    }
}
