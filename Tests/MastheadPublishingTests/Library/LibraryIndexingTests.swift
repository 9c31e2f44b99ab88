import Foundation
import MastheadLock
import MastheadPublishing
import Testing

@Suite("Indexing a library later", .timeLimit(.minutes(1)))
struct LibraryIndexingTests {
    private let folder: LibraryFolder
    private let library: Library

    init() async throws {
        folder = try LibraryFolder()
        library = try await folder.open()
    }

    private func save(_ articles: [Article], _ library: Library? = nil) async throws {
        try await (library ?? self.library).apply {
            $0.indexing = .later
            $0.save(articles)
        }
    }

    private func ids(_ text: String) async throws -> [Article.ID] {
        try await library.search(text).map(\.id).sorted { $0.rawValue < $1.rawValue }
    }

    @Test("what is saved is there at once, and found once the index is built")
    func later() async throws {
        try await library.apply { $0.save(Article(id: "a0", title: "Harbour", body: "<p>Low tide</p>")) }
        try await save([
            Article(id: "a1", title: "Harbour", body: "<p>High tide</p>"), Article(id: "a2", title: "Lighthouse"),
        ])

        #expect(try await library.article("a1")?.body == "<p>High tide</p>")
        #expect(try await ids("harbour") == ["a0"])
        let before = try await library.indexState()
        #expect((before.articles, before.pending, before.percent, before.isComplete) == (3, 2, 33, false))

        let told = Lock<[IndexState]>([])
        try await library.buildIndex { state in told.withLock { $0.append(state) } }

        #expect(try await ids("harbour") == ["a0", "a1"])
        #expect(try await ids("lighthouse") == ["a2"])
        #expect(told.withLock { $0.map(\.percent) } == [33, 100])
        #expect(try await library.indexState().isComplete)
    }

    @Test("an empty library is indexed")
    func empty() async throws {
        let told = Lock<[Int]>([])
        try await library.buildIndex { state in told.withLock { $0.append(state.percent) } }
        #expect(told.withLock { $0 } == [100])
    }

    @Test("called off, it keeps what was built, and goes on there after the library was opened again")
    func resumes() async throws {
        let articles = (0..<1200).map { Article(id: "a\($0)", title: "Harbour") }
        try await save(articles)
        let library = library
        let building = Task {
            try await library.buildIndex { state in
                if state.pending < 1200 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let error = await #expect(throws: LibraryError.self) { try await building.value }
        guard case .cancelled = error else {
            Testing.Issue.record("\(String(describing: error))")
            return
        }
        let pending = try await library.indexState().pending
        #expect(pending > 0 && pending < 1200)
        #expect(try await library.articles.count(of: SearchQuery("harbour")) == 1200 - pending)
        await library.close()

        let again = try await folder.open()
        #expect(try await again.indexState().pending == pending)
        let first = Lock<IndexState?>(nil)
        try await again.buildIndex { state in first.withLock { $0 = $0 ?? state } }
        #expect(first.withLock { $0?.pending } == pending)
        #expect(try await again.articles.count(of: SearchQuery("harbour")) == 1200)
        await again.close()
    }

    @Test("what was changed is found by what it said before, until the index is built")
    func changes() async throws {
        try await library.apply { $0.save(Article(id: "a", title: "Harbour")) }
        for title in ["Tide", "Lighthouse"] { try await save([Article(id: "a", title: title)]) }
        #expect(try await library.indexState().pending == 1)
        #expect(try await ids("harbour") == ["a"])
        #expect(try await ids("lighthouse") == [])
        try await library.buildIndex()
        #expect(try await ids("harbour") == [])
        #expect(try await ids("lighthouse") == ["a"])
    }

    @Test("what is saved with its index meanwhile, or deleted, is no longer waited for")
    func settles() async throws {
        try await save([Article(id: "a", title: "Harbour"), Article(id: "b", title: "Harbour")])
        try await library.apply { $0.save(Article(id: "a", title: "Lighthouse")) }
        #expect(try await library.indexState().pending == 1)
        #expect(try await ids("lighthouse") == ["a"])
        try await library.apply { $0.delete(article: "b") }
        #expect(try await library.indexState().isComplete)
        try await library.buildIndex()
        #expect(try await ids("harbour") == [])
    }

    @Test("a caption that changes is found later too")
    func captions() async throws {
        try await library.apply {
            $0.save(Asset(id: "m", caption: "Harbour"))
            $0.save(Article(id: "a", assetIDs: ["m"]))
        }
        try await library.apply {
            $0.indexing = .later
            $0.save(Asset(id: "m", caption: "Lighthouse"))
        }
        #expect(try await library.indexState().pending == 1)
        #expect(try await ids("harbour") == ["a"])
        try await library.buildIndex()
        #expect(try await ids("lighthouse") == ["a"])
    }

    @Test("an article that is saved alone belongs to the issue that is here and names it, and else stands on its own")
    func loners() async throws {
        try await library.apply { $0.save(Issue(id: "i", articles: [.init(id: "a"), .init(id: "c")])) }
        try await library.apply { $0.save([Article(id: "a", title: "A"), Article(id: "b", title: "B")]) }
        try await library.apply {
            $0.save([Article(id: "c", title: "C"), Article(id: "d", title: "D")])
            $0.save(Issue(id: "j", articles: [.init(id: "b"), .init(id: "d")]))
        }
        try await library.apply {
            $0.delete(issue: "i")
            $0.delete(issue: "j")
        }
        #expect(try await library.articles.oldest().ids() == ["b"])
    }
}
