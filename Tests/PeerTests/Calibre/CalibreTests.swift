import Foundation
import Testing

/// calibre-server over a library of real EPUBs, read by the repository that the demo defines, in the demo's own process.
@Suite(
    "calibre-server",
    .enabled(
        if: Peers.have(Calibre.server, Calibre.demo, Calibre.corpus),
        "needs calibre, the built demo and the shared samples folder: \(Peers.hint)"
    ),
    .timeLimit(.minutes(5))
)
struct CalibreTests {
    @Test("every book of the library is listed with its authors, and opens")
    func everyBook() async throws {
        try await withTemporaryFolder { folder in
            let books = try await Calibre.fillLibrary(in: folder)
            try #require(books.count > 50)
            let (process, port) = try await PeerProcess.start(
                Calibre.server,
                ["--listen-on", "127.0.0.1", "--port", "0", "--disable-use-bonjour", "library"],
                in: folder,
                environment: Calibre.environment(folder),
                ready: { line in
                    line.firstMatch(of: /listening on 127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.output.1) }
                }
            )
            let output: Result<String, any Error>
            do {
                let arguments = ["--check", "--calibre", "http://127.0.0.1:\(port)"]
                output = .success(try await PeerProcess.run(Calibre.demo, arguments, in: folder))
            } catch {
                output = .failure(error)
            }
            await process.stop()

            let text = try output.get()
            let opened = text.split(separator: "\n").filter { $0.contains(": opened, ") }
            #expect(opened.count == books.count)
            for book in books {
                // calibre joins authors by an ampersand, the demo by a comma.
                let authors = book.authors.replacing(" & ", with: ", ")
                #expect(opened.contains { $0.contains("“\(book.title)” by \(authors): opened") }, "\(book)\n\(text)")
            }
        }
    }

    @Test("a server that is gone is said to be, with a status that is not 0")
    func noServer() async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: PeerError.self) {
                try await PeerProcess.run(Calibre.demo, ["--check", "--calibre", "http://127.0.0.1:1"], in: folder)
            }
        }
    }
}

/// A library of real books, and who serves and reads it.
enum Calibre {
    static let server = URL(filePath: "/usr/bin/calibre-server")
    static let demo = Peers.root.appending(path: "Demo/.build/debug/masthead-demo")
    static let corpus = Peers.samples.appending(path: "corpus")
    private static let database = URL(filePath: "/usr/bin/calibredb")

    /// One page of the demo's repository has 50 books; these are more.
    private static let bookCount = 54

    struct Book: Decodable {
        let title: String
        let authors: String
    }

    /// Adds EPUBs of the corpus to a new library.
    ///
    /// - Returns: What calibre itself says of its books.
    static func fillLibrary(in folder: URL) async throws -> [Book] {
        let files = try ["idpf-samples", "epub-tests"].flatMap { name in
            let found = try FileManager.default.contentsOfDirectory(
                at: corpus.appending(path: name),
                includingPropertiesForKeys: nil
            )
            return found.filter { $0.pathExtension == "epub" }.sorted { $0.path() < $1.path() }
        }
        let chosen = files.prefix(bookCount).map { $0.path(percentEncoded: false) }
        let environment = environment(folder)
        try await PeerProcess.run(
            database,
            ["add", "--with-library", "library", "--duplicates"] + chosen,
            in: folder,
            environment: environment
        )
        try await PeerProcess.run(
            URL(filePath: "/bin/sh"),
            ["-c", "calibredb list --with-library library --for-machine --fields title,authors >books.json"],
            in: folder,
            environment: environment
        )
        return try JSONDecoder().decode([Book].self, from: Data(contentsOf: folder.appending(path: "books.json")))
    }

    /// calibre keeps its settings in the folder too, so that none of this account's matter or change.
    static func environment(_ folder: URL) -> [String: String] {
        [
            "CALIBRE_CONFIG_DIRECTORY": folder.appending(path: "settings").path(),
            "CALIBRE_CACHE_DIRECTORY": folder.appending(path: "cache").path(),
            "XDG_RUNTIME_DIR": folder.path(), "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8",
        ]
    }
}
