import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// A server's issue; each title is another payload.
struct Issue: Codable, Sendable, Hashable {
    let id: String
    let title: String
}

final class IssueRepository: AbstractRepository, @unchecked Sendable {
    func issue(_ policy: CachePolicy? = nil) async -> Result<Issue, RepositoryError> {
        await perform(request(policy))
    }

    func entry(_ policy: CachePolicy? = nil) async -> Result<CacheEntry<Issue>, RepositoryError> {
        await performCached(request(policy))
    }

    func updates() -> RefreshingResults<Issue> { performRefreshing(request(nil)) }

    func request(_ policy: CachePolicy?) -> Request<Issue> {
        let request: Request<Issue> = .get("issues/orbit")
        return policy.map { request.cached($0) } ?? request
    }
}

/// A server whose answers a test changes.
final class Shelf: Sendable {
    private struct State {
        var answer: StubExecutor.Answer
        var count = 0
    }

    private let state: Lock<State>

    init(_ answer: StubExecutor.Answer) {
        state = Lock(State(answer: answer))
    }

    var answer: StubExecutor.Answer {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    static func issue(_ title: String, _ headers: HTTPHeaders = [:]) -> StubExecutor.Answer {
        .json(#"{"id": "orbit", "title": "\#(title)"}"#, headers: headers)
    }

    var executor: StubExecutor { StubExecutor { [self] _ in answer } }
}

@Suite("A repository with a cache")
struct RepositoryCacheTests {
    private let folder: CacheFolder
    private let shelf = Shelf(Shelf.issue("First", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
    private let stub: StubExecutor
    private let issues: IssueRepository

    init() async throws {
        folder = try CacheFolder()
        stub = shelf.executor
        issues = folder.issues(stub)
        // Memory is emptied once when that begins.
        await issues.cached?.settle()
    }

    @Test("what is fresh is served without asking, from memory and after a restart from the disk")
    func fresh() async throws {
        #expect(try await issues.entry().get().origin == .network)
        folder.clock.advance(by: .seconds(59))
        let entry = try await issues.entry().get()
        #expect(entry.origin == .memory)
        #expect(entry.value.title == "First")
        #expect(entry.age == .seconds(59))
        #expect(entry.freshness == .fresh)

        try await folder.cache.close()
        let again = try await folder.restarted().issues(stub).entry().get()
        #expect(again.origin == .disk)
        #expect(again.value.title == "First")
        #expect(stub.requests.count == 1)
    }

    @Test("what is stale is validated, and a 304 makes it fresh without another payload")
    func validated() async throws {
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(61))
        shelf.answer = .status(304, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        let entry = try await issues.entry().get()
        #expect(entry.origin == .revalidated)
        #expect(entry.value.title == "First")
        #expect(entry.age == .zero)
        #expect(stub.requests[1].headers["If-None-Match"] == "\"1\"")

        folder.clock.advance(by: .seconds(59))
        #expect(try await issues.entry().get().origin == .memory)
        #expect(stub.requests.count == 2)

        // The new head is on disk too.
        try await folder.cache.close()
        #expect(try await folder.restarted().issues(stub).entry().get().origin == .disk)
        #expect(stub.requests.count == 2)
    }

    @Test("a new answer takes the old one's place")
    func replaced() async throws {
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(61))
        shelf.answer = Shelf.issue("Second", ["Cache-Control": "max-age=60", "ETag": "\"2\""])
        #expect(try await issues.issue().get().title == "Second")
        #expect(try await issues.issue().get().title == "Second")
        #expect(stub.requests.count == 2)
        try await folder.cache.close()
        #expect(try await folder.restarted().issues(stub).issue(.cacheOnly).get().title == "Second")
    }

    @Test("cacheOnly never asks: what is kept however old, or .notCached")
    func cacheOnly() async throws {
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("something was found in an empty cache")
            return
        }
        #expect(stub.requests.isEmpty)
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(365 * 86400))
        let entry = try await issues.entry(.cacheOnly).get()
        #expect(entry.freshness == .stale)
        #expect(stub.requests.count == 1)
    }

    @Test("networkFirst asks, and serves what is kept only if the server cannot be asked or is in trouble")
    func networkFirst() async throws {
        _ = try await issues.issue().get()
        shelf.answer = .failure(.noNetworkConnection)
        let entry = try await issues.entry(.networkFirst(fallback: .seconds(3600))).get()
        #expect(entry.origin == .memory)
        #expect(stub.requests.count == 2)

        shelf.answer = .status(503)
        #expect(try await issues.issue(.networkFirst()).get().title == "First")

        shelf.answer = .failure(.tls(reason: "expired"))
        guard case .failure(.tls) = await issues.issue(.networkFirst()) else {
            Testing.Issue.record("something old was shown for a server that is not trusted")
            return
        }
        shelf.answer = .failure(.noNetworkConnection)
        folder.clock.advance(by: .seconds(3601))
        guard case .failure(.noNetworkConnection) = await issues.issue(.networkFirst(fallback: .seconds(3600))) else {
            Testing.Issue.record("something too old was shown")
            return
        }
    }

    @Test("networkOnly asks whatever is fresh, and serves nothing in its place")
    func networkOnly() async throws {
        _ = try await issues.issue().get()
        shelf.answer = Shelf.issue("Second")
        #expect(try await issues.issue(.networkOnly).get().title == "Second")
        shelf.answer = .failure(.noNetworkConnection)
        guard case .failure(.noNetworkConnection) = await issues.issue(.networkOnly) else {
            Testing.Issue.record("the failure was hidden")
            return
        }
    }

    @Test("cacheFirst serves what is not too old, and asks for what is")
    func cacheFirst() async throws {
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(600))
        #expect(try await issues.entry(.cacheFirst(maxAge: .seconds(600))).get().origin == .memory)
        folder.clock.advance(by: .seconds(1))
        shelf.answer = Shelf.issue("Second")
        #expect(try await issues.issue(.cacheFirst(maxAge: .seconds(600))).get().title == "Second")
        #expect(stub.requests.count == 2)
    }

    @Test("no-store is kept nowhere")
    func noStore() async throws {
        shelf.answer = Shelf.issue("Secret", ["Cache-Control": "no-store"])
        _ = try await issues.issue().get()
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("it was kept")
            return
        }
    }

    @Test("staleWhileRevalidate serves what is stale at once, and asks once behind it")
    func staleWhileRevalidate() async throws {
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(61))
        shelf.answer = Shelf.issue("Second", ["Cache-Control": "max-age=60"])
        #expect(try await issues.issue(.staleWhileRevalidate).get().title == "First")
        _ = try await stub.request(1)
        for await entry in issues.changes(of: issues.request(nil)) where entry?.value.title == "Second" { break }
        #expect(try await issues.issue(.staleWhileRevalidate).get().title == "Second")
        #expect(stub.requests.count == 2)
    }

    @Test("performRefreshing gives what is kept and then the server's, or the failure without losing what was shown")
    func refreshing() async throws {
        _ = try await issues.issue().get()
        folder.clock.advance(by: .seconds(61))
        shelf.answer = Shelf.issue("Second", ["Cache-Control": "max-age=60"])
        var titles: [String] = []
        var origins: [CacheOrigin] = []
        for await result in issues.updates() {
            titles.append(try result.get().value.title)
            origins.append(try result.get().origin)
        }
        #expect(titles == ["First", "Second"])
        #expect(origins == [.memory, .network])

        folder.clock.advance(by: .seconds(61))
        shelf.answer = .failure(.noNetworkConnection)
        var results: [Result<CacheEntry<Issue>, RepositoryError>] = []
        for await result in issues.updates() { results.append(result) }
        #expect(results.count == 2)
        #expect(try results[0].get().value.title == "Second")
        guard case .failure(.noNetworkConnection) = results[1] else {
            Testing.Issue.record("got \(results[1])")
            return
        }
        #expect(try await issues.issue(.cacheOnly).get().title == "Second")
    }

    @Test("performRefreshing asks nobody about what is fresh, and the server about what is not kept")
    func refreshingFresh() async throws {
        var count = 0
        for await result in issues.updates() {
            #expect(try result.get().origin == .network)
            count += 1
        }
        for await result in issues.updates() {
            #expect(try result.get().origin == .memory)
            count += 1
        }
        #expect(count == 2)
        #expect(stub.requests.count == 1)
    }

    @Test("identical loads at the same time share one exchange")
    func shared() async throws {
        let gate = Milestones()
        let slow = StubExecutor { [shelf] _ in
            _ = try? await gate.reach(1)
            return shelf.answer
        }
        let issues = folder.issues(slow)
        async let loads = withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? await issues.issue().get().title } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        _ = try await slow.request(0)
        gate.change(by: 1)
        #expect(await loads == Array(repeating: "First", count: 20))
        #expect(slow.requests.count == 1)
    }

    @Test("a call that must not ask does not wait for one that does")
    func sharedPolicies() async throws {
        let gate = Milestones()
        let slow = StubExecutor { [shelf] _ in
            _ = try? await gate.reach(1)
            return shelf.answer
        }
        let issues = folder.issues(slow)
        async let load = issues.issue()
        _ = try await slow.request(0)
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("it joined another call's exchange")
            return
        }
        gate.change(by: 1)
        #expect(try await load.get().title == "First")
    }

    @Test("what changes something makes the cache forget what it changed")
    func invalidated() async throws {
        _ = try await issues.issue().get()
        shelf.answer = .status(204)
        _ = try await issues.perform(.put("issues/orbit", body: .json(["title": "Third"]))).get()
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("it was kept")
            return
        }
    }

    @Test("a kept answer that no longer decodes is reported and asked for again; offline it is not there")
    func undecodable() async throws {
        let reports = Lock<[String]>([])
        shelf.answer = .json(#"{"id": "orbit", "name": "Old shape"}"#, headers: ["Cache-Control": "max-age=60"])
        let configuration = folder.configuration {
            $0.onDecodingFailure = { failure in reports.withLock { $0.append(failure.codingPath) } }
        }
        let issues = IssueRepository(configuration: configuration, cache: folder.cache, executor: stub)
        let old: Request<[String: String]> = .get("issues/orbit")
        #expect(try await issues.perform(old).get()["name"] == "Old shape")

        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("a payload of another shape came through")
            return
        }
        #expect(reports.withLock { $0 } == ["title"])
        #expect(try await issues.perform(old).get()["name"] == "Old shape")
        shelf.answer = Shelf.issue("New shape")
        #expect(try await issues.issue().get().title == "New shape")
        #expect(stub.requests.count == 2)
    }

    @Test("answers to requests with different secrets are kept apart")
    func secrets() async throws {
        let asked: @Sendable (String) -> Request<Issue> = { .get("issues/orbit", headers: ["X-Api-Key": $0]) }
        _ = try await issues.perform(asked("one")).get()
        guard case .failure(.notCached) = await issues.perform(asked("two").cached(.cacheOnly)) else {
            Testing.Issue.record("another key's answer was served")
            return
        }
        #expect(try await issues.perform(asked("one").cached(.cacheOnly)).get().title == "First")
        try await folder.cache.close()
        for file in folder.files {
            let content = try Data(contentsOf: URL(filePath: "\(folder.path)/cache/\(file)"))
            #expect(content.firstRange(of: Data("one".utf8)) == nil)
        }
    }

    @Test("a change that is made with a secret makes what needs none invalid too")
    func changedWithSecret() async throws {
        _ = try await issues.issue().get()
        let change: Request<Issue> = .put("issues/orbit", headers: ["X-Api-Key": "one"], body: .json(["title": "2"]))
        _ = await issues.perform(change)
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("what was changed is still served")
            return
        }
    }

    @Test("a clock set back an hour or forward a year costs one validation, and leaves no eternal entry")
    func clockChanges() async throws {
        shelf.answer = Shelf.issue("First", ["Cache-Control": "max-age=600", "ETag": "\"1\""])
        _ = try await issues.issue().get()
        shelf.answer = .status(304, headers: ["Cache-Control": "max-age=600", "ETag": "\"1\""])
        for jump in [-3600, 365 * 86400] as [TimeInterval] {
            let before = stub.requests.count
            folder.clock.date += jump
            await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { [issues] in _ = await issues.issue() } }
            }
            #expect(stub.requests.count == before + 1)
            #expect(try await issues.entry().get().freshness == .fresh)
            #expect(stub.requests.count == before + 1)
            folder.clock.advance(by: .seconds(601))
            #expect(try await issues.entry().get().origin == .revalidated)
        }
    }

    @Test("an observer learns what the cache did, and the log of a call has no payload")
    func observed() async throws {
        let events = NetworkEvents(capacity: 100)
        let stream = events.events
        let issues = IssueRepository(
            configuration: folder.configuration { $0.observer = events },
            cache: folder.cache,
            executor: stub
        )
        _ = try await issues.issue().get()
        _ = try await issues.issue().get()
        var served: [CacheOrigin] = []
        var ends = 0
        for await event in stream {
            if case .served(let origin) = event.kind { served.append(origin) }
            if case .callFinished = event.kind { ends += 1 }
            if ends == 2 { break }
        }
        #expect(served == [.memory])
    }

    @Test("an answer that was under way when something was changed is handed on, and not kept")
    func overtaken() async throws {
        let gate = Milestones()
        let slow = StubExecutor { [shelf] request in
            if request.method == .get { _ = try? await gate.reach(1) }
            return request.method == .get ? shelf.answer : .status(204)
        }
        let issues = folder.issues(slow)
        async let old = issues.issue()
        _ = try await slow.request(0)
        _ = try await issues.perform(.put("issues/orbit", body: .json(["title": "Third"]))).get()
        // It must not join what was asked before the change.
        async let new = issues.issue()
        _ = try await slow.request(2)
        gate.change(by: 1)
        #expect(try await old.get().title == "First")
        #expect(try await new.get().title == "First")
        #expect(slow.requests.count == 3)
    }

    @Test("a call whose own time runs out falls back as one without a network does")
    func timeout() async throws {
        _ = try await issues.issue().get()
        let gate = Milestones()
        let silent = StubExecutor { _ in
            // Until the call that waits is given up.
            _ = try? await gate.reach(1)
            return .status(500)
        }
        let slow = IssueRepository(
            configuration: folder.configuration { $0.totalTimeout = .seconds(10) },
            cache: folder.cache,
            executor: silent
        )
        async let entry = slow.entry(.networkFirst())
        _ = try await silent.request(0)
        try await folder.clock.sleepers(count: 1)
        folder.clock.advance(by: .seconds(10))
        #expect(try await entry.get().value.title == "First")
    }

    @Test("a secret's name in any case keeps answers apart, in a session too")
    func secretNames() async throws {
        let configuration = folder.configuration { $0.secretHeaders.insert("X-User-Key") }
        let session = TestSession()
        session.begin("ada")
        for user in [nil, session] as [TestSession?] {
            let issues = IssueRepository(
                configuration: configuration,
                session: user,
                cache: folder.cache,
                executor: stub
            )
            let asked: @Sendable (String, String) -> Request<Issue> = { .get("issues/orbit", headers: [$0: $1]) }
            _ = try await issues.perform(asked("x-user-key", "one")).get()
            _ = try await issues.perform(asked("Authorization", "Bearer delegate")).get()
            for other in [asked("X-USER-KEY", "two"), asked("Authorization", "Bearer other"), .get("issues/orbit")] {
                guard case .failure(.notCached) = await issues.perform(other.cached(.cacheOnly)) else {
                    Testing.Issue.record("another's answer was served")
                    return
                }
            }
            #expect(try await issues.perform(asked("X-User-Key", "one").cached(.cacheOnly)).get().title == "First")
        }
    }

    @Test("the variants of a URL are all found again, and are bounded")
    func variants() async throws {
        shelf.answer = Shelf.issue("First", ["Cache-Control": "max-age=600", "Vary": "Accept-Language"])
        let asked: @Sendable (Int) -> Request<Issue> = { .get("issues/orbit", headers: ["Accept-Language": "x-\($0)"]) }
        for number in 0..<40 { _ = try await issues.perform(asked(number)).get() }
        try await issues.cached?.flush()
        let again = folder.restarted().issues(stub)
        var found: [Int] = []
        for number in 0..<40 {
            if case .success = await again.perform(asked(number).cached(.cacheOnly)) { found.append(number) }
        }
        #expect(found == Array(24..<40))
    }
}
