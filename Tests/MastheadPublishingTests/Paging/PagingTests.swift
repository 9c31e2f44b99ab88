import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct PagingTests {
    private func volumes(_ ids: ClosedRange<Int>, meta: String = "") -> String {
        let elements = ids.map { #"{"id":"v\#($0)","title":"Volume \#($0)"}"# }
        return #"{"volumes":[\#(elements.joined(separator: ","))]\#(meta)}"#
    }

    private func next(_ text: String) -> String { #","meta":{"pagination":{"next":\#(text)}}"# }

    private func read(_ sequence: CatalogueSequence<Volume>) async throws(RepositoryError) -> [String] {
        var ids: [String] = []
        for try await volume in sequence { ids.append(volume.id.rawValue) }
        return ids
    }

    @Test("reads page after page until one is short", .timeLimit(.minutes(1)))
    func counts() async throws {
        let server = try ScriptedServer(.json(volumes(1...2)), .json(volumes(3...4)), .json(volumes(5...5)))
        defer { server.stop() }
        let all = VolumeRepository(configuration: server.catalogue()).all(limit: 2)
        #expect(try await read(all) == ["v1", "v2", "v3", "v4", "v5"])
        #expect(
            server.requests.map(\.target) == ["/volumes?limit=2", "/volumes?limit=2&page=2", "/volumes?limit=2&page=3"]
        )
    }

    @Test("gives pages as they come")
    func pages() async throws {
        let server = try ScriptedServer(.json(volumes(1...2)), .json(volumes(3...3)))
        defer { server.stop() }
        var sizes: [Int] = []
        for try await page in VolumeRepository(configuration: server.catalogue()).all(limit: 2).pages {
            sizes.append(page.count)
        }
        #expect(sizes == [2, 1])
    }

    @Test("asks for no page before it is wanted")
    func lazily() async throws {
        let server = try ScriptedServer(.json(volumes(1...2)), .json(volumes(3...3)))
        defer { server.stop() }
        var iterator = VolumeRepository(configuration: server.catalogue()).all(limit: 2).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(server.requests.count == 1)
        _ = try await iterator.next()
        #expect(server.requests.count == 2)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 2)
    }

    @Test("follows the server's next page with its query as it is, and with the key", .timeLimit(.minutes(1)))
    func follows() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        server.answer(.json(volumes(1...1, meta: next(#""\#(server.baseURL)/v2/volumes?after=a%2Fb+c~&x=%7E""#))))
        server.answer(.json(volumes(2...2, meta: next("null"))))
        let configuration = server.catalogue { $0.subdomainURL = "v2" }
        #expect(
            try await read(VolumeRepository(configuration: configuration, showsPreviews: true).all()) == ["v1", "v2"]
        )
        #expect(server.requests.map(\.target) == ["/v2/volumes?limit=20", "/v2/volumes?after=a%2Fb+c~&x=%7E"])
        for request in server.requests {
            #expect(request.headers["Authorization"] == "method=clientkey,token=k3y")
            #expect(request.headers["X-Preview-App"] == "preview")
        }
    }

    @Test(
        "asks the configured host for the next page, whatever scheme and host the server names",
        arguments: ["http://api.example.org", "https://evil.example.org", "http://127.0.0.1:8080", ""]
    )
    func pins(origin: String) async throws {
        let configuration = NetworkingConfiguration(domainURL: "api.example.org") { $0.clientKey = "k3y" }
        let first = volumes(1...1, meta: next("\"\(origin)/volumes?page=2\""))
        let second = volumes(2...2, meta: next("false"))
        let stub = StubExecutor { $0.url.query() == "page=2" ? .json(second) : .json(first) }
        #expect(try await read(VolumeRepository(configuration: configuration, executor: stub).all()) == ["v1", "v2"])
        #expect(stub.requests.last?.url.absoluteString == "https://api.example.org/volumes?page=2")
    }

    @Test(
        "refuses a next page out of the configured path, after what it has read, and sends nothing there",
        arguments: [
            "https://api.example.org/volumes?page=2", "https://api.example.org@evil.example.org/v2/volumes",
            "ftp://api.example.org/v2/volumes", "volumes?page=2",
            "https://api.example.org/v2/../admin", "https://api.example.org/v2/%2e%2e/admin", "//evil.example.org/v2/x",
        ]
    )
    func refuses(url: String) async throws {
        let configuration = NetworkingConfiguration(domainURL: "api.example.org", subdomainURL: "/v2") {
            $0.clientKey = "k3y"
        }
        let body = volumes(1...1, meta: next("\"\(url)\""))
        let stub = StubExecutor { _ in .json(body) }
        var iterator = VolumeRepository(configuration: configuration, executor: stub).all().makeAsyncIterator()
        #expect(try await iterator.next()?.id == "v1")
        do {
            _ = try await iterator.next()
            Testing.Issue.record("expected a failure")
        } catch {
            guard case .invalidURL = error else {
                Testing.Issue.record("expected an invalid URL, got \(error)")
                return
            }
        }
        #expect(try await iterator.next() == nil)
        #expect(stub.requests.count == 1)
    }

    @Test("takes every way of saying so for the last page", arguments: ["null", "false", "\"\"", "0"])
    func lastPage(value: String) async throws {
        let server = try ScriptedServer(.json(volumes(1...2, meta: next(value))))
        defer { server.stop() }
        #expect(try await read(VolumeRepository(configuration: server.catalogue()).all(limit: 2)) == ["v1", "v2"])
        #expect(server.requests.count == 1)
    }

    @Test("reports pagination that makes no sense", arguments: ["7", "true", "[]", "{}"])
    func brokenPagination(value: String) async throws {
        let server = try ScriptedServer(.json(volumes(1...2, meta: next(value))))
        defer { server.stop() }
        guard
            case .decodeError(let failure) = await failure(
                of: VolumeRepository(configuration: server.catalogue()).all()
            )
        else {
            Testing.Issue.record("expected a decoding error")
            return
        }
        #expect(failure.codingPath == "meta.pagination.next")
    }

    @Test("ends where the server leads in a circle", .timeLimit(.minutes(1)))
    func circle() async throws {
        let server = try ScriptedServer { [self] request in
            let first = request.query == "limit=20"
            return .json(volumes(first ? 1...1 : 2...2, meta: next(first ? "\"/volumes?p=2\"" : "\"/volumes?p=1\"")))
        }
        defer { server.stop() }
        let ids = try await read(VolumeRepository(configuration: server.catalogue()).all())
        #expect(ids == ["v1", "v2"])
        #expect(server.requests.count <= 4)
    }

    @Test("throws what a page fails with, once")
    func fails() async throws {
        let server = try ScriptedServer(.json(volumes(1...2)), .status(503))
        defer { server.stop() }
        var iterator = VolumeRepository(configuration: server.catalogue()).all(limit: 2).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        do {
            _ = try await iterator.next()
            Testing.Issue.record("expected a failure")
        } catch {
            guard case .requestError(let refusal) = error else {
                Testing.Issue.record("expected a refusal, got \(error)")
                return
            }
            #expect(refusal.status == 503)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test("ends as cancelled when its task is cancelled", .timeLimit(.minutes(1)))
    func cancels() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.json(volumes(1...2)), .json(volumes(3...4)).held(until: gate))
        defer { server.stop() }
        let all = VolumeRepository(configuration: server.catalogue()).all(limit: 2)
        let task = Task { await failure(of: all) }
        _ = try await server.request(1)
        task.cancel()
        guard case .cancelled = await task.value else {
            Testing.Issue.record("expected a cancellation")
            return
        }
    }

    @Test("starts anew each time")
    func anew() async throws {
        let body = volumes(1...1)
        let server = try ScriptedServer { _ in .json(body) }
        defer { server.stop() }
        let all = VolumeRepository(configuration: server.catalogue()).all()
        #expect(try await read(all) == ["v1"])
        #expect(try await read(all) == ["v1"])
        #expect(server.requests.map(\.target) == ["/volumes?limit=20", "/volumes?limit=20"])
    }

    @Test("pages through every list of issues and articles")
    func lists() async throws {
        let server = try ScriptedServer { request in
            .json(request.path.hasPrefix("/issues") ? #"{"issues":[]}"# : #"{"articles":[]}"#)
        }
        defer { server.stop() }
        let issues = IssueRepository(configuration: server.catalogue())
        let articles = ArticleRepository(configuration: server.catalogue())
        let date = Date(timeIntervalSince1970: 0)
        for sequence in [issues.allPublished(limit: 0), issues.allPreviews(since: date)] {
            #expect(await failure(of: sequence) == nil)
        }
        for sequence in [
            articles.all(since: date), articles.allPublished(limit: 3), articles.allPreviews(),
            articles.all(where: "a/b", equals: "c"),
        ] {
            #expect(await failure(of: sequence) == nil)
        }
        #expect(
            server.requests.map(\.target) == [
                "/issues/published?limit=20", "/issues/preview/since/1970-01-01T00:00:00%2B00:00?limit=20",
                "/articles/since/1970-01-01T00:00:00%2B00:00?limit=20", "/articles/published?limit=3",
                "/articles/preview?limit=20", "/articles/a%2Fb/c?limit=20",
            ]
        )
    }
}
