import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("Reading ahead", .timeLimit(.minutes(1)))
struct PrefetchingTests {
    /// Page after page of one book.
    private static func executor(pages: Int = .max) -> ClosureExecutor {
        ClosureExecutor { request in
            let place = request.parameter("after").flatMap { Int($0) } ?? 1
            return .shelf([place], next: place < pages ? "\(place + 1)" : nil)
        }
    }

    private func shelf(_ executor: any RequestExecutor) -> PagedSequence<Book> {
        AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("shelf"), by: .cursor("after", \.next), elements: \.books)
    }

    @Test("reads as far ahead as it may, and no further", arguments: [1, 2, 5])
    func bounded(count: Int) async throws {
        let executor = Self.executor()
        var iterator = shelf(executor).prefetching(count).makeAsyncIterator()
        #expect(executor.requests.isEmpty, "nothing is read before the first element is wanted")
        for page in 1...3 {
            #expect(try await iterator.next() == Book(id: page))
            await until { executor.requests.count == page + count }
            for _ in 0..<100 { await Task.yield() }
            #expect(executor.requests.count == page + count)
        }
    }

    @Test("gives the same in the same order", arguments: [1, 3, 100])
    func order(count: Int) async {
        let executor = Self.executor(pages: 20)
        let (books, failure) = await shelf(executor).prefetching(count).everything()
        #expect(books.map(\.id) == Array(1...20) && failure == nil)
        #expect(executor.requests.count == 20)
    }

    @Test("gives what was read before a failure, then the failure, once")
    func fails() async throws {
        let executor = ClosureExecutor(answers: [.shelf([1], next: "b"), .shelf([2], next: "c"), .answer(503)])
        var iterator = shelf(executor).prefetching(5).makeAsyncIterator()
        #expect(try await iterator.next() == Book(id: 1))
        await until { executor.requests.count == 3 }
        #expect(try await iterator.next() == Book(id: 2))
        #expect(await failure { _ = try await iterator.next() }?.label == "requestError")
        #expect(try await iterator.next() == nil)
    }

    @Test("ends with the loop that is left")
    func left() async throws {
        let gauge = Gauge()
        let executor = ClosureExecutor { (request) async throws(RepositoryError) in
            if request.parameter("after") == nil { return .shelf([1], next: "b") }
            gauge.enter()
            defer { gauge.leave() }
            _ = try? await Milestones().reach(1)
            throw .cancelled
        }
        for try await _ in shelf(executor).prefetching(1) {
            await until { gauge.now == 1 }
            break
        }
        await until { gauge.now == 0 }
        #expect(executor.requests.count == 2)
    }
}
