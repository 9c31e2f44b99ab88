import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Whose data a cache shows", .timeLimit(.minutes(1)))
struct CachePrivacyTests {
    private let folder: CacheFolder
    private let session = TestSession()
    private let shelf = Shelf(Shelf.issue("Ada's", ["Cache-Control": "max-age=3600"]))
    private let stub: StubExecutor
    private let issues: IssueRepository

    init() throws {
        folder = try CacheFolder()
        stub = shelf.executor
        issues = folder.issues(stub, session: session)
    }

    @Test(
        "one user never sees another's, whatever the policy, online or offline",
        arguments: [
            CachePolicy.standard, .cacheOnly, .cacheFirst(), .networkFirst(), .staleWhileRevalidate, .networkOnly,
        ]
    )
    func users(policy: CachePolicy) async throws {
        session.begin("ada")
        _ = try await issues.issue().get()
        try await #require(issues.cached).set(Bookmark(id: "ada's"), for: "b")
        session.end()
        #expect(issues.cached == nil)
        guard case .failure(.unauthenticatedSession) = await issues.issue(policy) else {
            Testing.Issue.record("something was shown without a session")
            return
        }

        session.begin("bob")
        shelf.answer = .failure(.noNetworkConnection)
        guard case .failure = await issues.issue(policy) else {
            Testing.Issue.record("Ada's issue was shown to Bob")
            return
        }
        for await result in issues.updates() {
            guard case .failure = result else {
                Testing.Issue.record("Ada's issue was shown to Bob")
                return
            }
        }
        #expect(await issues.cached?.value(Bookmark.self, for: "b") == nil)
        shelf.answer = Shelf.issue("Bob's", ["Cache-Control": "max-age=3600"])
        #expect(try await issues.issue().get().title == "Bob's")

        session.end()
        session.begin("ada")
        shelf.answer = .failure(.noNetworkConnection)
        #expect(try await issues.issue(.cacheOnly).get().title == "Ada's")
    }

    @Test("a user's end takes their memory and their files, and what comes late is not kept")
    func removal() async throws {
        session.begin("ada")
        let partition = try #require(issues.cached)
        _ = try await issues.issue().get()
        try await partition.set(Bookmark(id: "b-7"), for: "b-7")
        try await partition.flush()
        let user = try #require(session.partition)
        #expect(folder.files.contains { $0.contains(user.name) })

        session.end()
        try await folder.cache.remove(user)
        #expect(!folder.files.contains { $0.contains(user.name) })
        await #expect(throws: CacheError.closed) { try await partition.set(Bookmark(id: "late"), for: "late") }
        #expect(await partition.value(Bookmark.self, for: "b-7") == nil)
        #expect(folder.cache.partition(for: CacheFolder.configuration, session: session) == nil)
        #expect(!folder.files.contains { $0.contains(user.name) })
    }

    @Test("an answer that comes after its session's end is kept for nobody")
    func late() async throws {
        let gate = Milestones()
        let slow = StubExecutor { [shelf] _ in
            _ = try? await gate.reach(1)
            return shelf.answer
        }
        let issues = folder.issues(slow, session: session)
        session.begin("ada")
        let ada = try #require(session.partition)
        async let late = issues.issue()
        _ = try await slow.request(0)
        session.end()
        try await folder.cache.remove(ada)
        session.begin("bob")
        gate.change(by: 1)
        guard case .failure(.unauthenticatedSession) = await late else {
            Testing.Issue.record("it was handed on")
            return
        }
        guard case .failure(.notCached) = await issues.issue(.cacheOnly) else {
            Testing.Issue.record("it was kept for Bob")
            return
        }
        try await folder.cache.close()
        #expect(!folder.files.contains { $0.contains(ada.name) })
    }

    @Test("an encrypted partition's file shows nothing, opens for its user, and for nobody else")
    func encrypted() async throws {
        let secret = "a-secret-that-nobody-else-has-0123456789"
        let folder = try CacheFolder { $0.isEncrypted = true }
        let issues = folder.issues(stub, session: session)
        session.begin("ada")
        let partition = try #require(issues.cached)
        try await partition.set(Bookmark(id: secret), for: "key-\(secret)", tags: ["tag-\(secret)"])
        try await partition.set(String(repeating: secret, count: 20_000), for: "long")
        shelf.answer = Shelf.issue(secret, ["Cache-Control": "max-age=3600", "ETag": "\"\(secret)\""])
        _ = try await issues.issue().get()
        try await folder.cache.close()

        #expect(folder.files.contains { $0.hasSuffix(".cache") })
        for file in folder.files {
            let content = try Data(contentsOf: URL(filePath: "\(folder.path)/cache/\(file)"))
            for trace in [secret, "orbit", "Bookmark", "nobody-else", "articleID"] {
                #expect(content.firstRange(of: Data(trace.utf8)) == nil, "\(trace) stands in \(file)")
            }
        }

        let again = folder.restarted { $0.isEncrypted = true }
        let opened = again.issues(stub, session: session)
        #expect(await opened.cached?.value(Bookmark.self, for: "key-\(secret)")?.id == secret)
        #expect(await opened.cached?.entries(Bookmark.self, tagged: "tag-\(secret)").count == 1)
        #expect(await opened.cached?.value(String.self, for: "long")?.count == secret.count * 20_000)
        #expect(try await opened.issue(.cacheOnly).get().title == secret)
    }

    @Test("a cache that is encrypted from now on leaves nothing readable of what was kept before")
    func encryptedLater() async throws {
        session.begin("ada")
        try await folder.partition(session).set("in the clear", for: "k")
        try await folder.cache.close()
        let sealed = folder.restarted { $0.isEncrypted = true }
        let partition = try sealed.partition(session)
        #expect(await partition.value(String.self, for: "k") == nil)
        try await partition.set("sealed words", for: "k")
        try await sealed.cache.close()
        for file in folder.files {
            let content = try Data(contentsOf: URL(filePath: "\(folder.path)/cache/\(file)"))
            for words in ["in the clear", "sealed words"] { #expect(content.firstRange(of: Data(words.utf8)) == nil) }
        }
    }

    @Test("a sealed piece that was changed, or put in another's place, is not there, and is reported")
    func tampered() async throws {
        let problems = Lock<[CacheProblem]>([])
        let folder = try CacheFolder { $0.isEncrypted = true }
        session.begin("ada")
        let partition = try folder.partition(session)
        try await partition.set("one", for: "1")
        try await partition.set("two", for: "2")
        try await folder.cache.close()
        try await folder.change(
            "UPDATE body SET bytes = (SELECT bytes FROM body ORDER BY id DESC LIMIT 1) WHERE id = (SELECT min(id) FROM body)"
        )

        let second = try folder.restarted {
            $0.isEncrypted = true
            $0.onProblem = { problem in problems.withLock { $0.append(problem) } }
        }.partition(session)
        #expect(await second.value(String.self, for: "1") == nil)
        #expect(problems.withLock { !$0.isEmpty })
        #expect(await second.value(String.self, for: "2") == "two")
    }
}
