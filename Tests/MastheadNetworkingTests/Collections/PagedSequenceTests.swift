import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("An iteration through pages", .timeLimit(.minutes(1)))
struct PagedSequenceTests {
    private func shelf(_ executor: any RequestExecutor) -> PagedSequence<Book> {
        AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("shelf"), by: .cursor("after", \.next), elements: \.books)
    }

    @Test("asks for no page before it is wanted, and starts anew each time")
    func lazily() async throws {
        let executor = ClosureExecutor { $0.parameter("after") == nil ? .shelf(1...2, next: "b") : .shelf([3]) }
        let shelf = shelf(executor)
        for round in 0..<2 {
            var iterator = shelf.makeAsyncIterator()
            #expect(executor.requests.count == 2 * round)
            _ = try await iterator.next()
            _ = try await iterator.next()
            #expect(executor.requests.count == 2 * round + 1)
            #expect(try await iterator.next() == Book(id: 3))
            #expect(try await iterator.next() == nil)
            #expect(try await iterator.next() == nil)
            #expect(executor.requests.count == 2 * round + 2)
        }
    }

    @Test("gives pages, empty ones too")
    func pages() async throws {
        let executor = ClosureExecutor(answers: [.shelf(1...2, next: "b"), .shelf([], next: "c"), .shelf([3])])
        var sizes: [Int] = []
        for try await page in shelf(executor).pages { sizes.append(page.count) }
        #expect(sizes == [2, 0, 1])
    }

    @Test("throws what a page fails with, once, as the app's own error, and reports what did not decode")
    func fails() async throws {
        enum ShelfError: String, CustomRepositoryError { case burnt }
        let executor = ClosureExecutor(answers: [.shelf([1], next: "b"), .answer(410)])
        let failures = Lock(0)
        var iterator = shelf(executor).mapCustomError([410: ShelfError.burnt]).makeAsyncIterator()
        _ = try await iterator.next()
        guard case .customError(ShelfError.burnt) = await failure({ _ = try await iterator.next() }) else {
            Issue.record("expected the app's own error")
            return
        }
        #expect(try await iterator.next() == nil)
        #expect(executor.requests.count == 2)

        let configuration = NetworkingConfiguration.test {
            $0.onDecodingFailure = { _ in failures.withLock { $0 += 1 } }
        }
        let repository = AbstractRepository(
            configuration: configuration,
            executor: ClosureExecutor(answers: [.answer(200, body: "{}")])
        )
        let (_, error) = await repository.paged(Request<[Book]>.get("a"), by: .link).everything()
        #expect(error?.label == "decodeError" && failures.withLock { $0 } == 1)
    }

    @Test("ends as cancelled with its task", arguments: [0, 1])
    func cancels(ahead: Int) async throws {
        let gauge = Gauge()
        let executor = ClosureExecutor { (request) async throws(RepositoryError) in
            if request.parameter("after") == nil { return .shelf([1], next: "b") }
            gauge.enter()
            defer { gauge.leave() }
            _ = try? await Milestones().reach(1)
            throw .cancelled
        }
        let shelf = ahead > 0 ? shelf(executor).prefetching(ahead) : shelf(executor)
        let reading = Task { await shelf.everything() }
        await until { gauge.all == 1 }
        reading.cancel()
        let (books, failure) = await reading.value
        #expect(books.count == 1 && failure?.label == "cancelled")
        #expect(gauge.now == 0, "nothing is left running")
    }

    @Test("does not go round in circles: a page that was read already is an error, after what came before it")
    func circle() async {
        let executor = ClosureExecutor { request in
            switch request.parameter("after") {
            case nil: .shelf([1], next: "b")
            case "b": .shelf([2], next: "c")
            default: .shelf([3], next: "b")
            }
        }
        let (books, failure) = await shelf(executor).everything()
        #expect(books.map(\.id) == [1, 2, 3] && failure?.label == "invalidResponse")
        #expect(executor.requests.count == 3)
    }

    @Test("knows the first page again by its URL")
    func circleToStart() async {
        let executor = ClosureExecutor(answers: [.shelf([1], next: "/v2/shelf")])
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("shelf"), by: .url(\.next), elements: \.books).everything()
        #expect(books.map(\.id) == [1] && failure?.label == "invalidResponse")
        #expect(executor.requests.count == 1)
    }

    @Test("bears a hundred pages without anything new, and no more", arguments: [true, false])
    func idle(areEmpty: Bool) async {
        let executor = ClosureExecutor { request in
            let place = request.parameter("after").flatMap { Int($0) } ?? 0
            return .shelf(areEmpty ? [] : [1], next: "\(place + 1)")
        }
        let (books, failure) = await shelf(executor).everything()
        #expect(failure?.label == "invalidResponse")
        #expect(executor.requests.count == (areEmpty ? 100 : 101))
        #expect(books.count == (areEmpty ? 0 : 100))
    }

    @Test("takes a counted page with the ids of the last, or of the first, for the end")
    func repeatedIDs() async {
        for pages in [[1...2, 3...4, 3...4], [1...2, 3...4, 1...2]] {
            let executor = ClosureExecutor(answers: pages.map { .books($0) })
            let (books, failure) = await AbstractRepository.answering(executor)
                .paged(Request<[Book]>.get("books"), by: .number("page", size: 2)).everything()
            #expect(books.map(\.id) == [1, 2, 3, 4] && failure == nil)
            #expect(executor.requests.count == 3)
        }
    }

    @Test("takes a counted page that is the last again for an error, where nothing has an id")
    func repeatedBytes() async {
        let executor = ClosureExecutor(answers: [.answer(200, body: "[1,2]")])
        let (numbers, failure) = await AbstractRepository.answering(executor)
            .paged(Request<[Int]>.get("numbers"), by: .number("page")).everything()
        #expect(numbers == [1, 2] && failure?.label == "invalidResponse")
        #expect(executor.requests.count == 2)
    }

    @Test("leaves out what stood on the page before, if it is told to")
    func unique() async throws {
        let executor = ClosureExecutor(
            answers: [.shelf([1, 2, 2], next: "b"), .shelf([2, 3], next: "c"), .shelf([3], next: "d"), .shelf([1])]
        )
        var pages: [[Int]] = []
        for try await page in shelf(executor).unique().pages { pages.append(page.map(\.id)) }
        #expect(pages == [[1, 2], [3], [], [1]])
    }

    @Test("an app's own pages are a list too")
    func foreign() async throws {
        let source = AppPages(pages: [[1, 2], [], [3]])
        #expect(await PagedSequence(pages: source).everything().elements == [1, 2, 3])
        #expect(await PagedSequence(pages: source).prefetching(2).everything().elements == [1, 2, 3])
        let failing = AppPages(pages: [[1]], end: .timeout(.total))
        let (elements, failure) = await PagedSequence(pages: failing).everything()
        #expect(elements == [1] && failure?.label == "timeout.total")
    }
}

/// Pages that an app makes itself.
struct AppPages: AsyncSequence, Sendable {
    typealias Element = [Int]
    typealias Failure = RepositoryError
    let pages: [[Int]]
    var end: RepositoryError?

    struct Iterator: AsyncIteratorProtocol {
        var pages: ArraySlice<[Int]>
        let end: RepositoryError?

        mutating func next() async throws(RepositoryError) -> [Int]? {
            if let page = pages.popFirst() { return page }
            if let end { throw end }
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pages: pages[...], end: end) }
}
