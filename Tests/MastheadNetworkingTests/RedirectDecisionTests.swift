import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A decision about a redirect", .timeLimit(.minutes(1)))
struct RedirectDecisionTests {
    private let home = "https://api.example.com/start"

    private func request(_ body: HTTPBody? = nil) throws -> HTTPRequest {
        HTTPRequest(
            method: body == nil ? .get : .put,
            url: try #require(URL(string: home)),
            headers: ["Authorization": "s3cret", "X-Api-Key": "s3cret", "X-Plain": "plain"],
            body: body
        )
    }

    private func next(
        after request: HTTPRequest,
        to target: String,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in },
        _ decide: @escaping @Sendable (Redirect) -> RedirectDecision
    ) throws -> HTTPRequest? {
        var policy = RedirectPolicy(
            .test {
                $0.onRedirect = decide
                configure(&$0)
            }
        )
        return try policy.next(after: .answer(307, ["Location": target]), to: request)
    }

    @Test("sees where it comes from, what would be sent, and whether that is elsewhere")
    func sees() throws {
        let seen = Lock<[Redirect]>([])
        for target in ["/there", "https://media.example.com/"] {
            let next = try next(after: request(), to: target) { redirect in
                seen.withLock { $0.append(redirect) }
                return .follow
            }
            #expect(next == seen.withLock { $0.last?.request })
        }
        let redirects = seen.withLock { $0 }
        #expect(redirects.map(\.source.absoluteString) == [home, home])
        #expect(redirects.map(\.status) == [307, 307])
        #expect(redirects.map(\.crossesOrigin) == [false, true])
        #expect(redirects.map { $0.request.headers["Authorization"] } == ["s3cret", nil])
    }

    @Test("takes the redirect for the answer, or ends the call")
    func stops() throws {
        #expect(try next(after: request(), to: "/there") { _ in .stop } == nil)
        let first = try request()
        let error = #expect(throws: RepositoryError.self) {
            try next(after: first, to: "/there") { _ in .refuse(.dns(host: "mine")) }
        }
        guard case .dns(host: "mine") = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test("may change the request, but brings back no secret that was dropped")
    func changes() throws {
        let first = try request()
        let away = try next(after: first, to: "https://media.example.com/") { redirect in
            var changed = first
            changed.url = redirect.request.url
            changed.headers["X-New"] = "new"
            return .send(changed)
        }
        #expect(away?.headers == ["X-Plain": "plain", "X-New": "new"])
        let elsewhere = try next(after: first, to: "/there") { redirect in
            var changed = redirect.request
            changed.url = URL(string: "https://media.example.com/") ?? changed.url
            return .send(changed)
        }
        #expect(elsewhere?.headers == ["X-Plain": "plain"])
        let here = try next(after: first, to: "/there") { redirect in
            var changed = redirect.request
            changed.headers["Authorization"] = "another s3cret"
            return .send(changed)
        }
        #expect(here?.headers["Authorization"] == "another s3cret")
    }

    @Test("brings a secret along when it says so")
    func keepsSecrets() throws {
        let first = try request()
        let away = try next(after: first, to: "https://media.example.com/") { redirect in
            var changed = redirect.request
            changed.headers["Authorization"] = "signed s3cret"
            return .sendWithSecrets(changed)
        }
        #expect(away?.headers["Authorization"] == "signed s3cret")
        #expect(away?.headers["X-Api-Key"] == nil)
    }

    @Test("is checked: no broken field, no http, no loop, no body that is gone")
    func isChecked() throws {
        let changes: [@Sendable (inout HTTPRequest) -> Void] = [
            { $0.headers["X-New"] = "a\r\nX-Evil: b" }, { $0.method = "GE T" }, { $0.headers["Content-Length"] = "3" },
            { $0.url = URL(string: "http://api.example.com/") ?? $0.url },
            { $0.url = URL(string: "ftp://api.example.com/") ?? $0.url },
            { $0.url = URL(string: "https://api.example.com/start") ?? $0.url },
        ]
        let first = try request()
        for (place, change) in changes.enumerated() {
            for decision in [RedirectDecision.send, RedirectDecision.sendWithSecrets] {
                #expect(throws: RepositoryError.self, "change \(place)") {
                    try next(after: first, to: "/there") { redirect in
                        var changed = redirect.request
                        change(&changed)
                        return decision(changed)
                    }
                }
            }
        }
    }

    @Test("may give a body for one that is gone")
    func givesBody() async throws {
        let server = try ScriptedServer(.redirect(to: "/there", status: 307), .status(204))
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.onRedirect = { redirect in
                    var request = redirect.request
                    request.body = .data(Data("again".utf8))
                    return .send(request)
                }
            }
        )
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("once".utf8))
            continuation.finish()
        }
        try await repository.perform(Request<Void>.put("start", body: .stream(chunks))).get()
        #expect(server.requests.map(\.text) == ["once", "again"])
    }

    @Test("is not asked about what may not be followed anyway")
    func isNotAsked() throws {
        for target in ["http://api.example.com/", "ftp://a/", "/start"] {
            let asked = Lock(0)
            let first = try request()
            _ = try? next(after: first, to: target, { $0.maximumRedirects = target == "/start" ? 0 : 10 }) { _ in
                asked.withLock { $0 += 1 }
                return .follow
            }
            #expect(asked.withLock { $0 } == 0)
        }
    }

    @Test("that stops gives the redirect back as a refusal, and a stream or a download ends alike")
    func stopsCalls() async throws {
        let server = try ScriptedServer { _ in .redirect(to: "/there") }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.onRedirect = { _ in .stop } })
        for failure in [
            await repository.perform(Request<Void>.get("a")).failure,
            await repository.performStreaming(Request<ResponseStream>.get("a")).failure,
        ] {
            guard case .requestError(let refusal)? = failure else {
                Issue.record("expected the redirect itself, got \(String(describing: failure))")
                continue
            }
            #expect(refusal.status == 302)
            #expect(refusal.headers["Location"] == "/there")
        }
    }
}
