import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Long answers in a cache", .timeLimit(.minutes(1)))
struct StreamCacheTests {
    private let folder: CacheFolder
    private let payload = Data((0..<1_500_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })

    init() throws {
        folder = try CacheFolder()
    }

    /// A server whose answers have the payload until they are asked whether it still holds, and a repository for it.
    private func server() throws -> (ScriptedServer, IssueRepository) {
        let answer = answer
        let server = try ScriptedServer { request in
            guard request.headers["If-None-Match"] == "\"1\"" else { return answer }
            return .status(304, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
        }
        let configuration = server.configuration { [clock = folder.clock] configuration in configuration.time = clock }
        return (server, IssueRepository(configuration: configuration, cache: folder.cache))
    }

    private var answer: ScriptedServer.Answer {
        ScriptedServer.Answer(status: 200, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: payload)
    }

    private func read(_ issues: IssueRepository, _ policy: CachePolicy = .standard) async throws -> Data {
        let response = try await issues.performStreaming(.get("issues/orbit.pdf").cached(policy)).get()
        var body = Data()
        for try await chunk in response.chunks { body += chunk }
        return body
    }

    @Test("one that was read to its end is read from the disk, piece by piece, by the next call and the next start")
    func streamed() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        #expect(try await read(issues) == payload)
        try await issues.cached?.flush()
        #expect(try await read(issues) == payload)
        #expect(try await issues.performRaw(.get("issues/orbit.pdf").cached(.cacheOnly)).get().body == payload)
        #expect(server.requests.count == 1)

        folder.clock.advance(by: .seconds(61))
        #expect(try await read(issues) == payload)
        #expect(server.requests.count == 2)
        #expect(try await server.request(1).headers["If-None-Match"] == "\"1\"")

        try await folder.cache.close()
        let configuration = server.configuration { [clock = folder.clock] configuration in configuration.time = clock }
        let again = IssueRepository(configuration: configuration, cache: folder.restarted().cache)
        #expect(try await read(again, .cacheOnly) == payload)
    }

    @Test("one that was not read to its end is not kept")
    func abandoned() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        do {
            let response = try await issues.performStreaming(.get("issues/orbit.pdf")).get()
            var chunks = response.chunks.makeAsyncIterator()
            #expect(try await chunks.next() != nil)
        }
        try await issues.cached?.flush()
        guard case .failure(.notCached) = await issues.performRaw(.get("issues/orbit.pdf").cached(.cacheOnly)) else {
            Testing.Issue.record("a part was taken for the whole")
            return
        }
    }

    @Test("one that is replaced while it is read ends in an error, never in a mixture")
    func replaced() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        #expect(try await read(issues) == payload)
        try await issues.cached?.flush()
        let response = try await issues.performStreaming(.get("issues/orbit.pdf").cached(.cacheOnly)).get()
        var chunks = response.chunks.makeAsyncIterator()
        #expect(try await chunks.next()?.isEmpty == false)
        try await issues.cached?.removeAll()
        await #expect(throws: RepositoryError.self) { while try await chunks.next() != nil {} }
    }

    @Test("one that came whole can be read piece by piece, from memory and from the disk, and the other way round")
    func wholeThenStreamed() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        let request: Request<HTTPResponse> = .get("issues/orbit.pdf")
        #expect(try await issues.performRaw(request).get().body == payload)
        try await issues.cached?.flush()
        #expect(try await read(issues) == payload)
        #expect(try await issues.performRaw(request.cached(.cacheOnly)).get().body == payload)
        #expect(server.requests.count == 1)
    }

    @Test("one that made room on disk is asked for again, though memory still knows its head")
    func evicted() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        #expect(try await read(issues) == payload)
        try await issues.cached?.flush()
        try await folder.remove("DELETE FROM entry; DELETE FROM body; UPDATE total SET bytes = 0", from: "entry")
        #expect(try await read(issues) == payload)
        #expect(server.requests.count == 2)
    }

    @Test("one whose entry is taken away while it comes is not kept, and nothing of it gets into another's")
    func takenAway() async throws {
        let (server, issues) = try server()
        defer { server.stop() }
        let response = try await issues.performStreaming(.get("issues/orbit.pdf")).get()
        var chunks = response.chunks.makeAsyncIterator()
        var count = try await chunks.next()?.count ?? 0
        let partition = try #require(issues.cached)
        try await partition.flush()
        try await partition.removeAll()
        try await partition.set("another", for: "other")
        while let chunk = try await chunks.next() { count += chunk.count }
        #expect(count == payload.count)
        // What could not be kept is told once.
        try? await partition.flush()
        guard case .failure(.notCached) = await issues.performRaw(.get("issues/orbit.pdf").cached(.cacheOnly)) else {
            Testing.Issue.record("a part was taken for the whole")
            return
        }
        try await folder.cache.close()
        let second = folder.restarted()
            .cache.partition(for: server.configuration(), session: nil)
        #expect(await second?.value(String.self, for: "other") == "another")
    }
}
