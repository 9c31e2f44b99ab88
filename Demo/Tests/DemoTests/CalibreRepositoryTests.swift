import CalibreCatalogue
import Foundation
import MastheadNetworking
import Synchronization
import Testing

@Suite("CalibreRepository")
struct CalibreRepositoryTests {
    /// Answers by path, and keeps the targets.
    final class Library: RequestExecutor {
        let targets = Mutex<[String]>([])
        private let answers: [String: Data]

        init(_ answers: [String: Data]) {
            self.answers = answers
        }

        func execute(
            _ request: HTTPRequest,
            _ configuration: NetworkingConfiguration
        ) async throws(RepositoryError) -> HTTPResponse {
            let target = request.url.path + (request.url.query.map { "?" + ($0.removingPercentEncoding ?? $0) } ?? "")
            targets.withLock { $0.append(target) }
            guard let body = answers[target] else { return HTTPResponse(status: 404, url: request.url) }
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: body,
                url: request.url
            )
        }
    }

    private func repository(_ library: Library) -> CalibreRepository {
        CalibreRepository(configuration: NetworkingConfiguration(domainURL: "books.example"), executor: library)
    }

    private static let search = "/ajax/search?query=&offset=%d&num=50&sort=title&sort_order=asc"

    @Test("lists books page by page, in the order of the search, without those removed meanwhile")
    func lists() async throws {
        let library = Library([
            String(format: Self.search, 0): Data(#"{"total_num": 3, "book_ids": [9, 8]}"#.utf8),
            String(format: Self.search, 2): Data(#"{"total_num": 3, "book_ids": [7]}"#.utf8),
            "/ajax/books?ids=9,8": Data(
                """
                {"8": {"application_id": 8, "title": "B", "pubdate": "0101-01-01T00:00:00+00:00", "series": null},
                 "9": {"application_id": 9, "title": "A", "authors": ["X", "Y"], "formats": ["epub"],
                       "series": "S", "series_index": 2.5, "pubdate": "2026-01-15T00:00:00+00:00",
                       "format_metadata": {"epub": {"size": 42}}}}
                """.utf8
            ),
            "/ajax/books?ids=7": Data(#"{"7": null}"#.utf8),
            "/ajax/book/3": Data(#"{"application_id": 3, "title": "C", "pubdate": "None"}"#.utf8),
            "/ajax/book/4": Data(#"{"application_id": 4, "title": "D", "pubdate": "soon"}"#.utf8),
        ])

        let books = try await repository(library).books().get()

        #expect(books.map(\.id) == [9, 8])
        #expect(books.first?.authors == ["X", "Y"])
        #expect(books.first?.seriesIndex == 2.5)
        #expect(books.first?.epubSize == 42)
        #expect(books.first?.publishedDate == Date(timeIntervalSince1970: 1_768_435_200))
        #expect(books.last?.publishedDate == nil)
        #expect(library.targets.withLock { $0.count } == 4)
        #expect(try await repository(library).book(3).get().publishedDate == nil)
        await #expect(throws: RepositoryError.self) { try await repository(library).book(4).get() }
    }

    @Test("ends when a server promises more than it gives")
    func endless() async throws {
        let library = Library([String(format: Self.search, 0): Data(#"{"total_num": 3, "book_ids": []}"#.utf8)])

        #expect(try await repository(library).books().get().isEmpty)
    }

    @Test("opens an EPUB, and takes nothing else for one")
    func opens() async throws {
        var epub: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [8, 0, 0, 0]
        epub += Array("mimetypeapplication/epub+zipPK".utf8)
        var deflated = epub
        deflated[8] = 8
        let library = Library([
            "/get/EPUB/1": Data(epub), "/get/EPUB/2": Data("<html>not here</html>".utf8),
            "/get/EPUB/3": Data(deflated), "/get/EPUB/4": Data(epub.prefix(40)), "/get/EPUB/5": Data([0x50]),
        ])
        let calibre = repository(library)

        #expect(try await calibre.epub(of: 1).get() == Data(epub))
        for id in 2...5 {
            let result = await calibre.epub(of: CalibreBook.ID(id))
            guard case .failure(.customError(CalibreError.notAnEPUB)) = result else {
                Issue.record("\(id): \(result)")
                continue
            }
        }
        guard case .failure(.customError(CalibreError.unknownBook)) = await calibre.epub(of: 6) else {
            Issue.record("6 is unknown")
            return
        }
    }
}
