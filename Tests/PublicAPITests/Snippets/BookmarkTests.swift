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
}
