import FoundationEssentials
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// Secrets never reach an unencrypted file: neither those of a URL nor those of an answer's fields.
@Suite("Secrets in a cache's file", .timeLimit(.minutes(1)))
struct CacheSecretsTests {
    private let folder: CacheFolder
    private let shelf = Shelf(Shelf.issue("First"))
    private let stub: StubExecutor
    private let issues: IssueRepository

    init() throws {
        folder = try CacheFolder()
        stub = shelf.executor
        issues = folder.issues(stub)
    }

    /// What nobody is to find: each of them has this in it.
    private static let mark = "s3cr3t"

    private static let fields: HTTPHeaders = [
        "Cache-Control": "max-age=60", "ETag": "\"1\"", "Vary": "Accept-Language, X-Api-Key",
        "X-Session-Token": "s3cr3t-field", "Authentication-Info": "nextnonce=s3cr3t-nonce", "X-Api-Key": "s3cr3t-key",
        "Content-Location": "/v2/issues/orbit?sig=s3cr3t-location",
        "Link": "</v2/next?access_token=s3cr3t-link>; rel=\"next\"", "X-Author": "s3cr3t@example.com",
        "X-Shelf": "7", "Location": "/v2/issues/orbit?sig=s3cr3t-location",
    ]

    private func request(_ language: String = "en") -> Request<Issue> {
        .get(
            "issues/orbit",
            query: ["access_token": "s3cr3t-parameter"],
            headers: ["Accept-Language": language, "X-Api-Key": "s3cr3t-header"]
        )
    }

    /// What is on disk now, the log too.
    private func bytes() throws -> Data {
        try folder.files.reduce(into: Data()) { bytes, name in
            bytes += try Data(contentsOf: URL(filePath: "\(folder.path)/cache/\(name)"))
        }
    }

    private func holdsSecret() throws -> Bool { try bytes().firstRange(of: Data(Self.mark.utf8)) != nil }

    @Test("are not there, and variants, revalidation and invalidation go on as ever")
    func answers() async throws {
        shelf.answer = Shelf.issue("First", Self.fields)
        _ = try await issues.perform(request()).get()
        shelf.answer = Shelf.issue("Erste", Self.fields)
        _ = try await issues.perform(request("de")).get()
        try await issues.cached?.flush()
        #expect(try bytes().firstRange(of: Data("X-Shelf".utf8)) != nil, "they are looked for where they would be")
        #expect(try !holdsSecret())

        let again = folder.restarted().issues(stub)
        #expect(try await again.perform(request()).get().title == "First")
        #expect(try await again.perform(request("de")).get().title == "Erste")
        let response = try await again.performRaw(
            .get(
                "issues/orbit",
                query: ["access_token": "s3cr3t-parameter"],
                headers: ["Accept-Language": "en", "X-Api-Key": "s3cr3t-header"]
            )
        ).get()
        #expect(response.headers["X-Shelf"] == "7" && response.headers["X-Session-Token"] == nil)
        #expect(stub.requests.count == 2, "both are found again")

        folder.clock.advance(by: .seconds(61))
        shelf.answer = .status(304, headers: Self.fields)
        #expect(try await again.performCached(request()).get().origin == .revalidated)
        #expect(stub.requests.last?.headers["If-None-Match"] == "\"1\"")
        #expect(try await again.performCached(request()).get().origin == .memory)
        try await again.cached?.flush()
        #expect(try !holdsSecret())

        shelf.answer = .status(204)
        let change: Request<Void> = .put(
            "issues/orbit",
            query: ["access_token": "s3cr3t-parameter"],
            headers: ["X-Api-Key": "s3cr3t-header"],
            body: .json(["title": "Second"])
        )
        _ = try await again.perform(change).get()
        guard case .failure(.notCached) = await again.perform(request().cached(.cacheOnly)) else {
            Testing.Issue.record("what was changed is still served")
            return
        }
        #expect(try !holdsSecret())
    }

    @Test("are not there for what comes piece by piece, and a redirect to one is not kept")
    func streamsAndRedirects() async throws {
        let server = try ScriptedServer { _ in
            ScriptedServer.Answer(status: 200, headers: Self.fields, body: Data(count: 600_000))
        }
        defer { server.stop() }
        let configuration = server.configuration { [clock = folder.clock] in $0.time = clock }
        let streaming = IssueRepository(configuration: configuration, cache: folder.cache)
        let response = try await streaming.performStreaming(
            .get("issues/orbit.pdf", query: ["access_token": "s3cr3t-parameter"])
        ).get()
        var count = 0
        for try await chunk in response.chunks { count += chunk.count }
        #expect(count == 600_000)
        try await streaming.cached?.flush()
        #expect(try bytes().firstRange(of: Data("X-Shelf".utf8)) != nil && !holdsSecret())

        let redirecting = StubExecutor { request in
            guard request.url.path().hasSuffix("old") else { return Shelf.issue("First") }
            return .status(
                308,
                headers: ["Location": "/v2/issues/new?token=s3cr3t-target", "Cache-Control": "max-age=60"]
            )
        }
        let moved = folder.issues(redirecting)
        for _ in 0..<2 { _ = try await moved.perform(.get("issues/old") as Request<Issue>).get() }
        #expect(redirecting.requests.filter { $0.url.path().hasSuffix("old") }.count == 2)
        try await moved.cached?.flush()
        #expect(try !holdsSecret())
    }

    @Test("of an older file go with the answers, and the app's own values stay")
    func migration() async throws {
        try await issues.cached?.set(Bookmark(id: "b-7"), for: "b-7")
        try await folder.cache.close()
        let file = folder.path + "/cache/" + (try #require(folder.files.first { $0.hasSuffix(".cache") }))
        let old = Database(path: file)
        try await old.write { (connection) throws(DatabaseError) in
            try connection.execute(
                """
                INSERT INTO entry (id, key, variant, version, revision, stored, size, pieces, used, head)
                    VALUES (900, CAST('https://a/?k=s3cr3t' AS BLOB), x'', 0, 7, 0, 6, 0, 9, CAST('s3cr3t' AS BLOB));
                INSERT INTO body VALUES (900 << 20, CAST('s3cr3t' AS BLOB));
                INSERT INTO tag VALUES (CAST('s3cr3t' AS BLOB), 900);
                DROP INDEX entry_coming;
                PRAGMA user_version = 1;
                """
            )
        }
        #expect(try holdsSecret())
        await old.close()
        let again = folder.restarted()
        #expect(try await again.partition().value(Bookmark.self, for: "b-7")?.id == "b-7")
        #expect(try !holdsSecret())
        try await again.cache.close()
        try await folder.change("UPDATE total SET bytes = 1 WHERE bytes = (SELECT size + length(key) + 256 FROM entry)")
    }
}
