package import FoundationEssentials
package import MastheadNetworking

/// Decides which page of a list to read next: a value, without any I/O.
///
/// It remembers the ids of one page and a number for each URL it followed, and nothing else.
package struct PageCursor<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    /// A page to read.
    package enum Page: Sendable, Hashable {
        /// A page of the list's own path; the first is 1.
        case number(Int)

        /// The page a server said comes next.
        case url(URL)
    }

    /// What a page says about the one after it, checked against the configuration.
    package enum Link: Sendable {
        /// Nothing: the server does not say how it pages.
        case unknown

        /// There is none.
        case last

        /// The page at a URL of the configured origin.
        case url(URL)

        /// A page that must not be asked for.
        case refused(RepositoryError)
    }

    /// What to do now.
    package enum Step: Sendable {
        case read(Page)
        case fail(RepositoryError)
        case end
    }

    /// How many pages in a row may bring nothing new before a server is taken to lead nowhere.
    package static var maximumIdlePages: Int { 100 }

    /// What to do now.
    package private(set) var step: Step

    private let limit: Int
    private var previous: Set<Item.ID> = []
    private var first: Set<Item.ID>?
    private var idlePages = 0
    // Hashes instead of the URLs: they are the server's words, and may be long.
    private var followed: Set<Int> = []

    /// Starts at the first page.
    package init(limit: Int, problem: RepositoryError? = nil) {
        self.limit = limit
        step = problem.map(Step.fail) ?? .read(.number(1))
    }

    /// Starts at another page instead of the first.
    mutating func begin(at page: Int) {
        if case .read = step { step = .read(.number(max(1, page))) }
    }

    /// Ends the list: it failed, or its failure has been told.
    package mutating func end() {
        step = .end
    }

    /// Takes what was read, and decides what comes next.
    ///
    /// - Returns: The items without those that stood on the page before: lists move while they are read.
    package mutating func accept(_ items: [Item], _ link: Link) -> [Item] {
        guard case .read(let page) = step else { return [] }
        let ids = Set(items.map(\.id))
        var known = previous
        let new = items.filter { known.insert($0.id).inserted }
        idlePages = new.isEmpty ? idlePages + 1 : 0
        let isFirstAgain = !ids.isEmpty && ids == first
        first = first ?? ids
        previous = ids
        step = isFirstAgain ? .end : next(after: page, link, isShort: items.count < limit, bringsNothing: new.isEmpty)
        return isFirstAgain ? [] : new
    }

    private mutating func next(after page: Page, _ link: Link, isShort: Bool, bringsNothing: Bool) -> Step {
        switch (link, page) {
        case (.last, _): return .end
        case (.refused(let error), _): return .fail(error)
        case (.url(let url), _):
            guard followed.insert(url.hashValue).inserted else { return .end }
            guard idlePages < Self.maximumIdlePages else {
                return .fail(.invalidResponse(reason: "\(idlePages) pages in a row brought nothing new"))
            }
            return .read(.url(url))
        case (.unknown, .number(let number)): return isShort || bringsNothing ? .end : .read(.number(number + 1))
        case (.unknown, .url): return .end
        }
    }
}
