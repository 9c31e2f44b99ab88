/// A list that a server gives in pages, fetched as they are asked for.
///
/// ```swift
/// for try await comment in comments.comments(on: "orbit") { show(comment) }
///
/// for try await page in comments.comments(on: "orbit").prefetching(1).pages { store(page) }
/// ```
///
/// ``AbstractRepository/paged(_:by:elements:)`` makes one. Nothing is asked before the first element is wanted, and one
/// page is in memory at a time. Each iteration starts from the first page, is read by one task, and ends at the last page
/// or with a ``RepositoryError``: after what was read before, and once.
///
/// An iteration belongs to the session in which its first page was asked for: when that is over it ends in
/// ``RepositoryError/unauthenticatedSession(_:)``, in the middle of a page too, whoever is logged in then. It ends in
/// ``RepositoryError/cancelled`` with its task.
///
/// A server that leads in a circle ends no iteration silently: see ``Pagination``.
public struct PagedSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// What ends an iteration early.
    public typealias Failure = RepositoryError

    /// The same list, a page at a time.
    public let pages: Pages

    /// Makes a list of what begins to walk through its pages.
    init(_ begin: @escaping Pages.Begin) {
        pages = Pages(begin: begin)
    }

    /// Makes a list of pages from elsewhere: an app's own sequence of them.
    ///
    /// ```swift
    /// let ahead = PagedSequence(pages: volumes.all().pages).prefetching(2)
    /// ```
    ///
    /// - Parameter pages: The pages; an iteration of the list is one of theirs.
    public init<Source: AsyncSequence & Sendable>(pages: Source)
    where Source.Element == [Element], Source.Failure == RepositoryError {
        self.init { pin in
            var iterator = pages.makeAsyncIterator()
            return PageWalk(in: pin) { () async throws(RepositoryError) in
                try await iterator.next(isolation: #isolation)
            }
        }
    }

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator {
        let pin = SessionPin()
        return Iterator(walk: pages.begin(pin), pin: pin)
    }

    /// Walks through the elements.
    public struct Iterator: AsyncIteratorProtocol {
        private let walk: PageWalk<Element>
        private let pin: SessionPin
        private var page: ArraySlice<Element> = []

        fileprivate init(walk: PageWalk<Element>, pin: SessionPin) {
            self.walk = walk
            self.pin = pin
        }

        /// The next element; `nil` after the last, and after a failure has been thrown.
        public mutating func next() async throws(RepositoryError) -> Element? {
            while true {
                if let element = page.popFirst() {
                    do throws(RepositoryError) {
                        try pin.check()
                    } catch {
                        page = []
                        walk.end()
                        throw error
                    }
                    return element
                }
                guard let next = try await walk.next() else { return nil }
                page = next[...]
            }
        }

        /// The next element; `nil` after the last, and after a failure has been thrown.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> Element? {
            try await next()
        }
    }
}
