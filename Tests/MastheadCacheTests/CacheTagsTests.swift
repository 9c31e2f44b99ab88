import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// An answer has the tags of all who asked for it.
@Suite("The tags of answers", .timeLimit(.minutes(1)))
struct CacheTagsTests {
    private static let fields: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    private let folder: CacheFolder
    private let shelf = Shelf(Shelf.issue("First", Self.fields))

    init() throws {
        folder = try CacheFolder()
    }

    private func request(_ tag: String) -> Request<Issue> { .get("issues/orbit").cached(.standard, tags: [tag]) }

    /// Whether what is kept goes with a tag, at the app's next start.
    private func goes(with tag: String) async throws -> Bool {
        try await folder.cache.partition(for: CacheFolder.configuration)?.flush()
        let issues = folder.restarted().issues(shelf.executor)
        guard case .success = await issues.issue(.cacheOnly) else { return false }
        try await issues.cached?.removeAll(tagged: tag)
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else { return false }
        return true
    }

    @Test("are united when calls share a load", arguments: ["one", "two"])
    func shared(tag: String) async throws {
        let gate = Milestones()
        let stub = StubExecutor { [shelf] _ in
            _ = try? await gate.reach(1)
            return shelf.answer
        }
        let events = NetworkEvents(capacity: 100)
        let issues = IssueRepository(
            configuration: folder.configuration { $0.observer = events },
            cache: folder.cache,
            executor: stub
        )
        // From now on, and not only from when somebody reads.
        let told = events.events
        async let first = issues.perform(request("one"))
        _ = try await stub.request(0)
        async let second = issues.perform(request("two"))
        for await event in told { if case .coalesced = event.kind { break } }
        gate.change(by: 1)
        _ = (try await first.get(), try await second.get())
        #expect(stub.requests.count == 1)
        #expect(try await goes(with: tag))
    }

    @Test("are united when what is kept is served, confirmed or replaced", arguments: ["one", "two"], [0, 1, 2])
    func later(tag: String, way: Int) async throws {
        let stub = shelf.executor
        let issues = folder.issues(stub)
        _ = try await issues.perform(request("one")).get()
        if way > 0 { folder.clock.advance(by: .seconds(61)) }
        if way == 1 { shelf.answer = .status(304, headers: Self.fields) }
        if way == 2 { shelf.answer = Shelf.issue("Second", ["Cache-Control": "max-age=60", "Vary": "Accept"]) }
        _ = try await issues.perform(request("two")).get()
        #expect(stub.requests.count == (way == 0 ? 1 : 2))
        #expect(try await goes(with: tag))
    }

    @Test("of what comes piece by piece stay when it comes again")
    func streamed() async throws {
        let server = try ScriptedServer { _ in
            ScriptedServer.Answer(status: 200, headers: ["Cache-Control": "max-age=60"], body: Data(count: 600_000))
        }
        defer { server.stop() }
        let configuration = server.configuration { [clock = folder.clock] in $0.time = clock }
        let issues = IssueRepository(configuration: configuration, cache: folder.cache)
        for tag in ["one", "two"] {
            let request: Request<ResponseStream> = .get("issues/orbit.pdf")
            let response = try await issues.performStreaming(request.cached(.networkOnly, tags: [tag])).get()
            for try await _ in response.chunks {}
        }
        try await issues.cached?.flush()
        try await issues.cached?.removeAll(tagged: "one")
        guard case .failure(.notCached) = await issues.performRaw(.get("issues/orbit.pdf").cached(.cacheOnly)) else {
            Testing.Issue.record("it had lost its first tag")
            return
        }
    }
}
