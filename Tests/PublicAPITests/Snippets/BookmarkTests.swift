import MastheadNetworking
import MastheadTesting
import Testing

@Suite("BookmarkRepository")
struct BookmarkTests {
    // snippet
    @Test("a bookmark that is gone is the app's own error")
    func unknownBookmark() async throws {
        let server = try ScriptedServer(.status(404))
        defer { server.stop() }
        let repository = BookmarkRepository(configuration: server.configuration())

        let result = await repository.bookmark("b-7")

        guard case .failure(.customError(BookmarkError.unknownBookmark)) = result else {
            Issue.record("got \(result)")
            return
        }
        #expect(try await server.request(0).target == "/bookmarks/b-7")
    }
    // end

    // snippet
    @Test("asks again while the server answers 202")
    func polls() async throws {
        let clock = ManualClock()
        let server = try ScriptedServer(.status(202), .json(#"{"id": "b-7", "articleID": "a-1"}"#))
        defer { server.stop() }
        let repository = BookmarkRepository(configuration: server.configuration { $0.time = clock })

        async let bookmark = repository.waitForBookmark("b-7")
        try await clock.sleepers(count: 1)
        clock.advance(by: .seconds(1))

        #expect(try await bookmark.get().articleID == "a-1")
        #expect(server.requests.count == 2)
    }
    // end
}

nonisolated extension BookmarkRepository {
    func waitForBookmark(_ id: Bookmark.ID) async -> Result<Bookmark, RepositoryError> {
        await performPolling(.get("bookmarks/\(id)"))
    }
}
