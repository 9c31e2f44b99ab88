import CalibreCatalogue
import MastheadNetworking

extension Tour {
    /// Lists and opens the books of a calibre server.
    func showBooks(of calibre: CalibreRepository) async throws(Stop) {
        begin(
            "The books of a calibre server, by a repository of the app's own",
            code: """
                let books = try need("the list of books", await calibre.books())
                let file = await calibre.epub(of: book.id)
                """
        )
        let books = try need("the list of books", await calibre.books())
        let readable = books.filter { $0.formats.contains("epub") }
        ledger.note("\(books.count) books, \(readable.count) of them as EPUB", !books.isEmpty)
        for book in readable {
            let file = await calibre.epub(of: book.id)
            switch file {
            case .success(let data):
                ledger.note("“\(book.title)” by \(book.authors.joined(separator: ", ")): opened, \(data.count) bytes")
            case .failure(let error):
                ledger.note("“\(book.title)” opens: \(Self.name(of: error))", false)
            }
        }
        let unknown = await calibre.book(999_999_999)
        if case .failure(.customError(CalibreError.unknownBook)) = unknown {
            ledger.note("404 for a book it does not have: .customError(CalibreError.unknownBook)")
        } else {
            ledger.note("404 is CalibreError.unknownBook, not \(Self.outcome(unknown))", false)
        }
    }
}
