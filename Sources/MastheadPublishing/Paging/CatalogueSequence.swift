public import MastheadNetworking

/// The elements of a whole list, fetched page by page as they are asked for.
///
/// ```swift
/// for try await volume in volumes.all() { show(volume) }
/// for try await page in volumes.all(limit: 100).pages { store(page) }
/// ```
///
/// Where the server says what comes next, that is followed: on the configured scheme, host and port, whatever it names,
/// and only below the configured path; otherwise page follows page until one is short. A server that leads in a circle
/// ends the sequence. One page is in memory at a time.
///
/// Iterating throws `RepositoryError`; a cancelled task gets `.cancelled`. Each iteration starts from the first page. With a
/// session, an iteration ends with the one that it began in, in `.unauthenticatedSession`: whoever is logged in after that gets
/// nothing of it, and is not asked for the rest.
public struct CatalogueSequence<Element: Identifiable & Sendable>: AsyncSequence, Sendable where Element.ID: Sendable {
    /// What ends an iteration early.
    public typealias Failure = RepositoryError

    /// The same list, a page at a time.
    public let pages: CataloguePages<Element>

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    /// Walks through the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: CataloguePages<Element>.Iterator
        private var page: ArraySlice<Element> = []

        fileprivate init(pages: CataloguePages<Element>.Iterator) {
            self.pages = pages
        }

        /// The next element; `nil` after the last, and after a failure has been thrown.
        public mutating func next() async throws(RepositoryError) -> Element? {
            while true {
                if let element = page.popFirst() {
                    do throws(RepositoryError) {
                        try pages.check()
                    } catch {
                        page = []
                        throw error
                    }
                    return element
                }
                guard let next = try await pages.next() else { return nil }
                page = next[...]
            }
        }
    }
}
