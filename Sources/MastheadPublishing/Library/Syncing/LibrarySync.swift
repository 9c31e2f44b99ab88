import FoundationEssentials
import MastheadNetworking
import MastheadSQLite

/// Brings a library up to date with its catalogue: one call's worth of it.
///
/// What is stored is written in units, each of which stands by itself: an issue comes with its articles and their assets or
/// not at all. So what was done before a failure stays, and the next call goes on from there.
struct LibrarySync {
    /// How much of an issue is wanted.
    enum Depth {
        /// Its articles too.
        case whole

        /// Its articles too if some of them are here, or if it is new.
        case asBefore

        /// Nothing but itself and its assets.
        case itself
    }

    let library: Library
    let catalogue: Catalogue

    var report = SyncReport()

    /// What has been asked for already: an article may stand in several issues.
    var asked: Set<Article.ID> = []

    /// Whether a list of what has changed had anything in it.
    var hasNews = false

    /// When the first list was made, by the server's clock.
    var begin: Date?

    init(_ library: Library) throws(LibraryError) {
        guard let catalogue = library.catalogue else {
            throw .catalogue(
                .invalidConfiguration(reason: "the library was opened without a catalogue: give Library's init one")
            )
        }
        self.library = library
        self.catalogue = catalogue
    }

    // MARK: Asking

    /// What an element's request of its own has brought.
    mutating func asked<Element>(_ answer: Result<Element, RepositoryError>) throws(LibraryError) -> Element {
        report.requestCount += 1
        switch answer {
        case .success(let element): return element
        case .failure(let error): throw LibraryError(asking: error)
        }
    }

    /// Reads the elements of many ids one by one, a few at a time; those that the server does not know are noted.
    mutating func singly<Element: CatalogueElement>(
        _ ids: [Identifier<Element>],
        from repository: CatalogueRepository,
        _ item: (Identifier<Element>) -> LibraryItem
    ) async throws(LibraryError) -> [Element] {
        let answers = await Calls.settled(ids) { id in
            let answer: Result<Element, RepositoryError> = await repository.element(id)
            return answer
        }
        report.requestCount += ids.count
        var found: [Element] = []
        for (id, answer) in zip(ids, answers) {
            switch answer {
            case .success(let element): found.append(element)
            case .failure(let error) where error.isGone: report.unknown.append(item(id))
            case .failure(let error): throw LibraryError(asking: error)
            }
        }
        return found
    }

    /// Those ids of which the server says that there is nothing, or nothing any more.
    mutating func gone<Element: CatalogueElement>(
        _ ids: [Identifier<Element>],
        from repository: CatalogueRepository,
        _ item: (Identifier<Element>) -> LibraryItem
    ) async throws(LibraryError) -> [Identifier<Element>] {
        // It is no news to anybody that they are not there.
        let known = report.unknown
        let there = Set(try await singly(ids, from: repository, item).map(\.id))
        report.unknown = known
        return ids.filter { !there.contains($0) }
    }

    /// Reads a list, page by page.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - page: The only page to read; `nil` for all.
    ///   - take: Takes a page.
    /// - Throws: What the catalogue or the database says.
    mutating func walk<Element: CatalogueElement>(
        _ list: CatalogueSequence<Element>,
        page: Int? = nil,
        _ take: (inout LibrarySync, [Element]) async throws(LibraryError) -> Void
    ) async throws(LibraryError) {
        try await walk(page.map(list.pages.from) ?? list.pages) { (sync, found) async throws(LibraryError) in
            try await take(&sync, found)
            return page == nil
        }
    }

    /// Reads a list, page by page, as long as more is wanted.
    mutating func walk<Element: CatalogueElement>(
        _ pages: CataloguePages<Element>,
        while take: (inout LibrarySync, [Element]) async throws(LibraryError) -> Bool
    ) async throws(LibraryError) {
        var pages = pages.makeAsyncIterator()
        while let page = try await next(&pages) {
            if begin == nil { begin = pages.firstDate }
            report.requestCount += 1
            guard try await take(&self, page) else { return }
        }
    }

    private func next<Element: CatalogueElement>(
        _ pages: inout CataloguePages<Element>.Iterator
    ) async throws(LibraryError) -> [Element]? {
        do throws(RepositoryError) {
            return try await pages.next()
        } catch {
            throw LibraryError(asking: error)
        }
    }
}

extension RepositoryError {
    /// Whether the server says that there is no such thing, or none any more.
    var isGone: Bool {
        guard case .customError(let error) = self else { return false }
        return error is VolumeError || error is IssueError || error is ArticleError || error is AssetError
    }
}

extension LibraryError {
    /// What a failure of the catalogue's means to an app.
    init(asking error: RepositoryError) {
        if case .cancelled = error { self = .cancelled } else { self = .catalogue(error) }
    }
}
