import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Many lists as one", .timeLimit(.minutes(1)))
struct ConcatenationTests {
    /// Lists of two pages with one book each: 10 and 11, 20 and 21, and so on.
    private static let executor: @Sendable () -> ClosureExecutor = {
        ClosureExecutor { request in
            let list = Int(request.url.lastPathComponent) ?? 0
            return request.parameter("after") == nil ? .shelf([10 * list], next: "b") : .shelf([10 * list + 1])
        }
    }

    private func list(_ number: Int, _ executor: any RequestExecutor) -> PagedSequence<Book> {
        AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("lists/\(number)"), by: .cursor("after", \.next), elements: \.books)
    }

    @Test("gives the first list, then the second", arguments: [0, 1, 3])
    func order(ahead: Int) async {
        let executor = Self.executor()
        let (books, failure) = await concat(1...4, prefetching: ahead) { list($0, executor) }.everything()
        #expect(books.map(\.id) == [10, 11, 20, 21, 30, 31, 40, 41] && failure == nil)
        #expect(executor.requests.count == 8)
    }

    @Test("passes over empty lists, and may have none at all")
    func empty() async {
        let executor = ClosureExecutor { $0.url.lastPathComponent == "2" ? .shelf([7]) : .shelf([]) }
        let lists = (1...3).map { list($0, executor) }
        #expect(await concat(lists).everything().elements == [Book(id: 7)])
        #expect(await concat([PagedSequence<Book>]()).everything().elements.isEmpty)
    }

    @Test("reads the first page of the next lists ahead, as many as it may", arguments: [0, 1, 2])
    func ahead(count: Int) async throws {
        let executor = Self.executor()
        var iterator = concat(1...9, prefetching: count) { list($0, executor) }.makeAsyncIterator()
        #expect(try await iterator.next() == Book(id: 10))
        await until { executor.requests.count == 1 + count }
        for _ in 0..<100 { await Task.yield() }
        #expect(Set(executor.requests.map(\.target)) == Set((1...(1 + count)).map { "/v2/lists/\($0)" }))
    }

    @Test("ends with the first list that fails", arguments: [0, 2])
    func fails(ahead: Int) async throws {
        let executor = ClosureExecutor { $0.url.lastPathComponent == "2" ? .answer(404) : .shelf([1]) }
        var iterator = concat(1...4, prefetching: ahead) { list($0, executor) }.makeAsyncIterator()
        #expect(try await iterator.next() == Book(id: 1))
        #expect(await failure { _ = try await iterator.next() }?.label == "requestError")
        #expect(try await iterator.next() == nil)
    }

    @Test("makes a list when it is its turn, of a hundred thousand")
    func many() async {
        let made = Lock(0)
        let (numbers, failure) = await concat(0..<100_000) { number in
            made.withLock { $0 += 1 }
            return PagedSequence(pages: AppPages(pages: [[number]], end: number == 50_000 ? .timeout(.total) : nil))
        }.everything()
        #expect(numbers.count == 50_001 && failure?.label == "timeout.total")
        #expect(made.withLock { $0 } == 50_001)
    }
}
