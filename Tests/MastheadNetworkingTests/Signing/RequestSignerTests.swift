import Foundation
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Where the pipeline asks a signer, and where it must not.
@Suite("A request signer", .timeLimit(.minutes(1)))
struct RequestSignerTests {
    /// Writes a number of its own for each request, and keeps what it was asked.
    private final class Counter: RequestSigner {
        private let asked = Lock<[HTTPRequest]>([])

        var requests: [HTTPRequest] { asked.withLock { $0 } }

        func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
            let number = asked.withLock { asked in
                asked.append(request)
                return asked.count
            }
            return ["X-Stamp": "\(number)", "X-Date": "\(Int(date.timeIntervalSince1970))"]
        }
    }

    private struct Interceptor: RequestInterceptor {
        var change: @Sendable (inout HTTPRequest) -> Void

        func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) { change(&request) }
    }

    private func stamps(_ server: ScriptedServer) -> [String?] { server.requests.map { $0.headers["X-Stamp"] } }

    @Test("sees what the interceptor left, and its fields win")
    func last() async throws {
        let signer = Counter()
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test {
                $0.signer = signer
                $0.tracing = Tracing()
                $0.time = JumpingTime()
                $0.interceptor = Interceptor { request in
                    request.headers["X-Stamp"] = "forged"
                    request.headers["X-Late"] = "late"
                }
            },
            executor: executor
        )
        try await repository.perform(Request<Void>.get("a")).get()
        let seen = try #require(signer.requests.first)
        #expect(seen.headers["X-Late"] == "late")
        #expect(seen.headers["traceparent"] != nil)
        #expect(executor.requests.map { $0.headers.values(of: "X-Stamp") } == [["1"]])
        #expect(executor.requests[0].headers["X-Date"] == "\(Int(JumpingTime().date.timeIntervalSince1970))")
    }

    @Test("is asked anew for each attempt, poll and redirect")
    func eachAttempt() async throws {
        let server = try ScriptedServer(
            .status(503),
            .status(202),
            .redirect(to: "/elsewhere", status: 307),
            .json("7")
        )
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.signer = Counter()
                $0.retry = .standard
                $0.time = JumpingTime()
            }
        )
        #expect(try await repository.performPolling(Request<Int>.get("a")).get() == 7)
        #expect(stamps(server) == ["1", "2", "3", "4"])
    }

    @Test("is not asked for another origin, nor for what comes back from there")
    func elsewhere() async throws {
        let home = try ScriptedServer()
        defer { home.stop() }
        let away = try ScriptedServer(.redirect(to: "\(home.baseURL)/pay", status: 307))
        defer { away.stop() }
        home.answer(
            .redirect(to: "\(home.baseURL)/next", status: 307),
            .redirect(to: "\(away.baseURL)/", status: 307),
            .status(204)
        )
        let signer = Counter()
        let repository = AbstractRepository(configuration: home.configuration { $0.signer = signer })
        try await repository.perform(Request<Void>.post("start", body: .text("b"))).get()
        #expect(stamps(home) == ["1", "2", nil])
        #expect(stamps(away) == [nil])
        // The next call is its own.
        home.answer(.status(204))
        try await repository.perform(Request<Void>.get("again")).get()
        #expect(stamps(home) == ["1", "2", nil, "3"])
    }

    @Test("is not asked for a request that an interceptor sends elsewhere, nor for what comes back from there")
    func interceptedElsewhere() async throws {
        let home = try ScriptedServer { _ in .status(204) }
        defer { home.stop() }
        let away = try ScriptedServer(.redirect(to: "\(home.baseURL)/pay", status: 307))
        defer { away.stop() }
        let target = try #require(URL(string: "\(away.baseURL)/"))
        let signer = Counter()
        let repository = AbstractRepository(
            configuration: home.configuration {
                $0.signer = signer
                $0.interceptor = Interceptor { $0.url = target }
            }
        )
        try await repository.perform(Request<Void>.get("start")).get()
        #expect(stamps(home) == [nil] && stamps(away) == [nil])
        #expect(signer.requests.isEmpty)
    }

    @Test("is asked once for calls that share an exchange")
    func coalesced() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.json("7").held(until: gate))
        defer { server.stop() }
        let signer = Counter()
        let events = EventLog()
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.signer = signer
                $0.coalescesIdenticalRequests = true
                $0.observer = events
            }
        )
        let calls = (0..<5).map { _ in Task { await repository.perform(Request<Int>.get("a")) } }
        await until { events.joined == 4 }
        try await gate.waiters(count: 1)
        gate.open()
        for call in calls { #expect(try await call.value.get() == 7) }
        #expect(stamps(server) == ["1"] && signer.requests.count == 1)

        // Alone it is another request.
        server.answer(.json("8"))
        #expect(try await repository.perform(Request<Int>.get("a")).get() == 8)
        #expect(stamps(server) == ["1", "2"] && signer.requests.count == 2)
    }

    @Test("is asked for each request of a download that takes several")
    func downloads() async throws {
        let folder = try TestFolder()
        let server = try ScriptedServer(
            .raw("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 6\r\n\r\nabc"),
            .raw(
                "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 3-4/6\r\nContent-Length: 2\r\n\r\nde"
            ),
            .raw(
                "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 5-5/6\r\nContent-Length: 1\r\n\r\nf"
            )
        )
        defer { server.stop() }
        let signer = Counter()
        let repository = AbstractRepository(configuration: server.configuration { $0.signer = signer })
        _ = await repository.download(.get("a"), to: folder.path("a"))
        let file = try await repository.download(.get("a"), to: folder.path("a")).get()
        #expect(file.size == 6)
        #expect(stamps(server) == ["1", "2", "3"])
        let seen = signer.requests.map(\.headers)
        #expect(seen.map { $0["Range"] } == [nil, "bytes=3-", "bytes=5-"])
        #expect(seen.map { $0["If-Range"] } == [nil, "\"a\"", "\"a\""])
        #expect(seen.allSatisfy { $0["Accept-Encoding"] == "identity" })
        #expect(seen.allSatisfy { $0["X-Stamp"] == nil }, "nothing of one signature goes into the next")
    }

    @Test("ends the call with its error, before anything is sent or counted against the server")
    func fails() async throws {
        struct Refusing: RequestSigner {
            func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
                throw .invalidConfiguration(reason: "no key today")
            }
        }
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test {
                $0.signer = Refusing()
                $0.retry = .standard
                $0.circuitBreaker = CircuitBreaker(failures: 1)
                $0.time = JumpingTime()
            },
            executor: executor
        )
        for _ in 0..<3 {
            let error = await repository.perform(Request<Void>.get("a")).failure
            guard case .invalidConfiguration(reason: "no key today") = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(executor.requests.isEmpty)
    }

    @Test(
        "cannot break out of a header, nor frame the body",
        arguments: [("X", "a\r\nb: c"), ("Content-Length", "1"), ("X Y", "a")]
    )
    func unsendable(name: String, value: String) async throws {
        struct Hostile: RequestSigner {
            let fields: HTTPHeaders

            func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
                fields
            }
        }
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test { $0.signer = Hostile(fields: HTTPHeaders([.init(name: name, value: value)])) },
            executor: executor
        )
        guard case .invalidRequest = await repository.perform(Request<Void>.get("a")).failure else {
            Issue.record("expected an invalid request")
            return
        }
        #expect(executor.requests.isEmpty)
    }
}
