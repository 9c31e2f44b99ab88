import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("A model whose shape has changed")
struct VersionedModelTests {
    /// The same type with another version for each run, as an app's update would make it.
    struct Note: VersionedModel, Sendable, Hashable {
        static let version = Lock(1)
        static var modelVersion: Int { version.withLock { $0 } }
        let text: String
    }

    struct Memo: Codable, Sendable, Hashable {
        let text: String
    }

    @Test("a value of another version is a miss, not an error, and the next that is kept takes its place")
    func version() async throws {
        let folder = try CacheFolder()
        let problems = Lock<[CacheProblem]>([])
        let first = try folder.partition()
        try await first.set(Note(text: "old"), for: "n")
        try await folder.cache.close()

        Note.version.withLock { $0 = 2 }
        defer { Note.version.withLock { $0 = 1 } }
        let second = folder.restarted { $0.onProblem = { problem in problems.withLock { $0.append(problem) } } }
        let partition = try second.partition()
        #expect(await partition.entry(Note.self, for: "n") == nil)
        #expect(problems.withLock { $0 }.isEmpty)
        try await partition.set(Note(text: "new"), for: "n")
        try await second.cache.close()
        #expect(try await folder.restarted().partition().value(Note.self, for: "n")?.text == "new")
    }

    @Test("bytes that no longer decode are a miss that is reported without showing them")
    func undecodable() async throws {
        let folder = try CacheFolder()
        let first = try folder.partition()
        try await first.set(Memo(text: "private words"), for: "n")
        try await folder.cache.close()

        // The file as an app of another shape would have written it.
        try await folder.change("UPDATE body SET bytes = CAST('{\"words\": \"private words\"}' AS BLOB)")

        let problems = Lock<[CacheProblem]>([])
        let second = try folder.restarted { $0.onProblem = { problem in problems.withLock { $0.append(problem) } } }
            .partition()
        #expect(await second.entry(Memo.self, for: "n") == nil)
        let problem = try #require(problems.withLock { $0.first })
        guard case .undecodable(let failure) = problem else {
            Testing.Issue.record("got \(problem)")
            return
        }
        #expect(failure.codingPath == "text")
        #expect(!"\(problem) \(failure.snippet)".contains("private"))
    }
}
