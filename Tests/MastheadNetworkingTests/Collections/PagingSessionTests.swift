import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A list belongs to the session it was begun in", .timeLimit(.minutes(1)))
struct PagingSessionTests {
    private let session = SessionManager<Reader>(store: RecordingStore())

    private func logIn(_ name: String) async throws {
        try await session.login(Reader(name: name, token: name))
    }

    /// Page after page of two books, for ever.
    private static let endless = ClosureExecutor { request in
        let place = request.parameter("after").flatMap { Int($0) } ?? 0
        return .shelf([2 * place, 2 * place + 1], next: "\(place + 1)")
    }

    private func shelf(_ executor: any RequestExecutor = endless) -> PagedSequence<Book> {
        AbstractRepository.answering(executor, session: session)
            .paged(Request<ShelfPage>.get("shelf"), by: .cursor("after", \.next), elements: \.books)
    }

    @Test("it ends with that, in the middle of a page and at its end, whoever is logged in then", arguments: 1...2)
    func ends(read: Int) async throws {
        try await logIn("ada")
        let executor = ClosureExecutor { _ in .shelf([1, 2], next: "b") }
        var iterator = shelf(executor).makeAsyncIterator()
        for _ in 0..<read { _ = try await iterator.next() }
        try await session.logout()
        try await logIn("bob")

        #expect(await failure { _ = try await iterator.next() }?.label == "unauthenticatedSession")
        #expect(try await iterator.next() == nil)
        #expect(executor.requests.map { $0.headers["Authorization"] } == ["Bearer ada"])
    }

    @Test("what was read ahead for one user is not given to the next")
    func ahead() async throws {
        try await logIn("ada")
        let executor = ClosureExecutor { request in
            request.parameter("after") == nil ? .shelf([1], next: "b") : .shelf([2], next: "c")
        }
        var iterator = shelf(executor).prefetching(1).pages.makeAsyncIterator()
        _ = try await iterator.next()
        await until { executor.requests.count == 2 }
        try await session.logout()
        try await logIn("bob")
        #expect(await failure { _ = try await iterator.next() }?.label == "unauthenticatedSession")
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == "Bearer ada" })
    }

    @Test("an iteration that has not begun belongs to whoever is there when it does")
    func begins() async throws {
        let shelf = shelf()
        #expect(await shelf.everything().failure?.label == "unauthenticatedSession")
        try await logIn("ada")
        var iterator = shelf.makeAsyncIterator()
        try await session.logout()
        try await logIn("bob")
        #expect(try await iterator.next() == Book(id: 0))
    }

    @Test("many lists in a row are one user's", arguments: [0, 1])
    func concatenated(ahead: Int) async throws {
        try await logIn("ada")
        let executor = ClosureExecutor { _ in .shelf([1]) }
        let list = shelf(executor)
        var iterator = concat([list, list, list], prefetching: ahead).makeAsyncIterator()
        _ = try await iterator.next()
        try await session.logout()
        try await logIn("bob")
        #expect(await failure { _ = try await iterator.next() }?.label == "unauthenticatedSession")
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == "Bearer ada" })
    }

    @Test("a list outside of the session is nobody's")
    func outside() async throws {
        let executor = ClosureExecutor { _ in .books([1], ["Link": "<b>; rel=next"]) }
        var iterator = AbstractRepository.answering(executor, session: session)
            .paged(Request<[Book]>.get("books").withoutSession(), by: .link).makeAsyncIterator()
        _ = try await iterator.next()
        try await logIn("bob")
        #expect(try await iterator.next() == Book(id: 1))
        #expect(executor.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("a token that is renewed on the way does not end it")
    func renewed() async throws {
        try await logIn("ada")
        var iterator = shelf().pages.makeAsyncIterator()
        _ = try await iterator.next()
        let credentials = SessionCredentials(accessToken: "ada2")
        try await session.update(Reader(name: "ada"), credentials: credentials)
        #expect(try await iterator.next()?.first == Book(id: 2))
    }
}
