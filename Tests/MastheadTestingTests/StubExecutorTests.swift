import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("StubExecutor", .timeLimit(.minutes(1)))
struct StubExecutorTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2")

    private func request(_ target: String, method: HTTPMethod = .get, host: String = "api.example.com") throws
        -> HTTPRequest
    {
        HTTPRequest(method: method, url: try #require(URL(string: "https://\(host)\(target)")))
    }

    private func text(_ stub: StubExecutor, _ target: String, host: String = "api.example.com") async throws -> String {
        String(decoding: try await stub.execute(try request(target, host: host), configuration).body, as: UTF8.self)
    }

    @Test("answers from a table, below the configuration's base, the query first")
    func answersFromTable() async throws {
        let stub = try StubExecutor(routes: [
            "GET /volumes/a%2Fb": .json("1"),
            "GET /volumes/a%2Fb?x=1&y=2": .json("2"),
            "GET /media.example.com/v2/cover": .json("3"),
            "POST /volumes": .status(201, headers: ["Location": "/v2/volumes/7"]),
            "GET /": .text("root"),
        ])
        #expect(try await text(stub, "/v2/volumes/a%2Fb") == "1")
        #expect(try await text(stub, "/v2/volumes/a%2Fb?z=1") == "1")
        #expect(try await text(stub, "/v2/volumes/a%2Fb?x=1&y=2") == "2")
        #expect(try await text(stub, "/v2/cover", host: "media.example.com") == "3")
        #expect(try await text(stub, "/v2") == "root")
        let created = try await stub.execute(try request("/v2/volumes", method: .post), configuration)
        #expect(created.status == 201)
        #expect(created.headers["location"] == "/v2/volumes/7")
        #expect(created.url.absoluteString == "https://api.example.com/v2/volumes")
        #expect(stub.requests.count == 6)
        #expect(try await stub.request(5).method == .post)
    }

    @Test("tells apart targets whose files would have one name")
    func tellsRoutesApart() async throws {
        let stub = try StubExecutor(routes: [
            "GET /a/b": .text("1"), "GET /a-b": .text("2"), "GET /a?b": .text("3"), "GET /a_b": .text("4"),
            "GET /a?b&c": .text("5"), "GET /a?b_c": .text("6"),
        ])
        for (target, answer) in [
            ("a/b", "1"), ("a-b", "2"), ("a?b", "3"), ("a_b", "4"), ("a?b&c", "5"), ("a?b_c", "6"),
        ] {
            #expect(try await text(stub, "/v2/\(target)") == answer)
        }
    }

    @Test("refuses two routes that are one")
    func refusesRouteTwice() {
        #expect(throws: ScriptedServerError.self) {
            try StubExecutor(routes: ["GET /a": .status(200), "GET /a/": .status(201)])
        }
    }

    @Test("says which answer it missed")
    func missesAnswer() async throws {
        let stub = try StubExecutor(routes: ["GET /volumes": .json("[]")])
        let error = await #expect(throws: RepositoryError.self) { try await text(stub, "/v2/issues/7?page=2") }
        guard case .customError(let missing as MissingAnswer) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(missing.names == ["GET-issues-7_page=2", "GET-issues-7"])
        #expect(
            missing.description
                == "no answer for GET /issues/7?page=2: looked for GET-issues-7_page=2, then GET-issues-7 in memory"
        )
    }

    @Test("refuses a route that is none", arguments: ["", "GET", "GET volumes", "GET /a b"])
    func refusesRoute(route: String) {
        #expect(throws: ScriptedServerError.invalidRoute(route)) { try StubExecutor(routes: [route: .status(200)]) }
    }

    @Test("fails as it is told, and as a task that is cancelled does")
    func fails() async throws {
        let stub = StubExecutor { _ in .failure(.dns(host: "api.example.com")) }
        let error = await #expect(throws: RepositoryError.self) { try await text(stub, "/v2/x") }
        guard case .dns(host: "api.example.com") = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await text(stub, "/v2/x")
        }
        let second = await #expect(throws: RepositoryError.self) { try await cancelled.value }
        guard case .cancelled = second else {
            Issue.record("got \(String(describing: second))")
            return
        }
    }

    @Test("holds to the configuration's limit of a body")
    func limitsBody() async throws {
        var configuration = configuration
        configuration.maximumBodySize = 3
        let stub = StubExecutor { _ in .text("four") }
        let error = await #expect(throws: RepositoryError.self) {
            try await stub.execute(try request("/v2/x"), configuration)
        }
        guard case .bodyTooLarge(limit: 3) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test("answers from a folder by the names of its files")
    func answersFromFolder() async throws {
        let folder = try Folder([
            "GET-volumes-vol-7.json": #"{"id": "vol-7"}"#,
            "GET-volumes_limit=20_page=2.json": "[]",
            "GET-jobs-7.http": "HTTP/1.1 202 Accepted\r\nRetry-After: 1\r\n\r\n",
            "GET-jobs-7~2.http": "HTTP/1.1 200 OK\nContent-Type: text/plain\n\ndone\n\n",
            "GET-broken.http": "HTTP/1.1 200 OK",
            "GET-broken2.http": "200 OK\n\n",
            "README": "no answer",
        ])
        let stub = try StubExecutor(folder: folder.path)

        let volume = try await stub.execute(try request("/v2/volumes/vol-7"), configuration)
        #expect(volume.status == 200)
        #expect(volume.headers["Content-Type"] == "application/json")
        #expect(volume.body == Data(#"{"id": "vol-7"}"#.utf8))
        #expect(try await text(stub, "/v2/volumes?limit=20&page=2") == "[]")

        let first = try await stub.execute(try request("/v2/jobs/7"), configuration)
        #expect(first.status == 202)
        #expect(first.headers["retry-after"] == "1")
        #expect(first.body.isEmpty)
        #expect(try await text(stub, "/v2/jobs/7") == "done\n\n")
        #expect(try await text(stub, "/v2/jobs/7") == "done\n\n")

        for (target, reason) in [
            ("broken", "no empty line ends its head"), ("broken2", "its first line is no status line"),
        ] {
            let error = await #expect(throws: RepositoryError.self) { try await text(stub, "/v2/\(target)") }
            guard case .customError(let custom) = error else {
                Issue.record("got \(String(describing: error))")
                continue
            }
            #expect("\(custom)" == "the recorded answer GET-\(target).http: \(reason)")
        }
        let error = await #expect(throws: RepositoryError.self) { try await text(stub, "/v2/volumes") }
        guard case .customError(let missing as MissingAnswer) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(missing.description == "no answer for GET /volumes: looked for GET-volumes in \(folder.path)")
    }

    @Test("refuses a folder that is not there")
    func refusesFolder() {
        #expect(throws: (any Error).self) { try StubExecutor(folder: "/nowhere/at/all") }
    }
}
