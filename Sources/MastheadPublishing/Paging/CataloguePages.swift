import FoundationEssentials
public import MastheadNetworking

/// A whole list, page by page, fetched as they are asked for.
///
/// ```swift
/// for try await page in issues.allPublished(limit: 50).pages { store(page) }
/// ```
///
/// A page may be empty where the server repeats itself: what stood on the page before is left out. All pages of an iteration
/// are of one session, if the repository has one: another user's does not go on with it.
public struct CataloguePages<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
    /// The items of one page.
    public typealias Element = [Item]

    /// What ends an iteration early.
    public typealias Failure = RepositoryError

    typealias Load =
        @Sendable (PageCursor<Item>.Page, SessionPin) async -> Result<LoadedPage<Item>, RepositoryError>

    private var start: PageCursor<Item>
    private let load: Load

    init(start: PageCursor<Item>, load: @escaping Load) {
        self.start = start
        self.load = load
    }

    /// The same list from a page on.
    func from(_ page: Int) -> Self {
        var copy = self
        copy.start.begin(at: page)
        return copy
    }

    /// Starts from the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(start, load)
    }

    /// Walks through the pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var cursor: PageCursor<Item>
        fileprivate let pin = SessionPin()
        fileprivate let load: Load

        /// When the first page was made, by the server's clock; `nil` before it was read, and if the server does not say.
        private(set) var firstDate: Date?
        private var hasBegun = false

        fileprivate init(_ cursor: PageCursor<Item>, _ load: @escaping Load) {
            self.cursor = cursor
            self.load = load
        }

        /// The next page; `nil` after the last, and after a failure has been thrown.
        public mutating func next() async throws(RepositoryError) -> [Item]? {
            switch cursor.step {
            case .end: return nil
            case .fail(let error):
                cursor.end()
                throw error
            case .read(let page):
                switch await load(page, pin) {
                case .success(let loaded):
                    if !hasBegun { firstDate = loaded.date }
                    hasBegun = true
                    return cursor.accept(loaded.items, loaded.link)
                case .failure(let error):
                    cursor.end()
                    throw error
                }
            }
        }

        /// Makes sure that what was read is still for whoever is logged in, and ends if it is not.
        mutating func check() throws(RepositoryError) {
            do throws(RepositoryError) {
                try pin.check()
            } catch {
                cursor.end()
                throw error
            }
        }
    }
}

/// What a list's page brought.
struct LoadedPage<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    let items: [Item]
    let link: PageCursor<Item>.Link

    /// When it was made, by the server's clock; `nil` if it does not say.
    let date: Date?
}
