public import FoundationEssentials
public import MastheadNetworking

/// Lists and opens the books of a calibre content server, by its JSON interface.
///
/// An app's own repository, on Masthead's public products alone.
///
/// ```swift
/// let calibre = CalibreRepository(configuration: .homeServer)
///
/// let books = try await calibre.books(matching: "tags:Periodical").get()
/// let file = try await calibre.epub(of: books[0].id).get()
/// ```
///
/// A server with several libraries answers for its default one.
public final class CalibreRepository: AbstractRepository, @unchecked Sendable {
    /// The size of a page: how many books are described by one request.
    public static let pageSize = 50

    /// Lists the books that a search finds, by title.
    ///
    /// - Parameter query: In calibre's search language, such as `author:Melville`; all books if it is empty.
    /// - Returns: The books; empty if none is found.
    public func books(matching query: String = "") async -> Result<[CalibreBook], RepositoryError> {
        var books: [CalibreBook] = []
        var offset = 0
        while true {
            switch await page(query, offset: offset) {
            case .failure(let error): return .failure(error)
            case .success(let page):
                books += page.books
                offset += page.idCount
                // A server that gives nothing, whatever total it names, has no more to give.
                if page.idCount == 0 || offset >= page.total { return .success(books) }
            }
        }
    }

    /// Describes one book.
    ///
    /// - Returns: The book, or ``CalibreError/unknownBook``.
    public func book(_ id: CalibreBook.ID) async -> Result<CalibreBook, RepositoryError> {
        await perform(.get("ajax/book/\(id.rawValue)")).mapCustomError([404: CalibreError.unknownBook])
    }

    /// Fetches a book.
    ///
    /// - Returns: The bytes of an EPUB whose beginning was checked; ``CalibreError/unknownBook`` if the server has none;
    ///   ``CalibreError/notAnEPUB`` if what it sent is none.
    public func epub(of id: CalibreBook.ID) async -> Result<Data, RepositoryError> {
        await performRaw(.get("get/EPUB/\(id.rawValue)", headers: ["Accept": "application/epub+zip"]))
            .mapCustomError([404: CalibreError.unknownBook])
            .flatMap { response in
                EPUBSignature.matches(response.body)
                    ? .success(response.body) : .failure(.customError(CalibreError.notAnEPUB))
            }
    }

    private struct SearchResult: Decodable, Sendable {
        let total_num: Int
        let book_ids: [Int]
    }

    private struct Page {
        let books: [CalibreBook]
        let idCount: Int
        let total: Int
    }

    private func page(_ query: String, offset: Int) async -> Result<Page, RepositoryError> {
        let search: Request<SearchResult> = .get(
            "ajax/search",
            query: [
                "query": .string(query), "offset": .int(Int64(offset)), "num": .int(Int64(Self.pageSize)),
                "sort": "title", "sort_order": "asc",
            ]
        )
        switch await perform(search) {
        case .failure(let error): return .failure(error)
        case .success(let found):
            return await books(found.book_ids).map {
                Page(books: $0, idCount: found.book_ids.count, total: found.total_num)
            }
        }
    }

    /// Describes some books, in the order of their ids; one that was removed meanwhile is left out.
    private func books(_ ids: [Int]) async -> Result<[CalibreBook], RepositoryError> {
        if ids.isEmpty { return .success([]) }
        let list = ids.map { String($0) }.joined(separator: ",")
        let request: Request<[String: CalibreBook?]> = .get("ajax/books", query: ["ids": .string(list)])
        return await perform(request).map { books in ids.compactMap { books[String($0)] ?? nil } }
    }
}
