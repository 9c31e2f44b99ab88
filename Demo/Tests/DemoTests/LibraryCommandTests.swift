import Foundation
import Testing

@Suite("masthead-demo sync, library, issue, article and search", .timeLimit(.minutes(2)))
struct LibraryCommandTests {
    private static let issue = "6e676c6173730000000b0001"
    private static let article = "6e676c6173730000000c0005"

    @Test("brings the magazine once, and then asks three times whether something changed")
    func syncsTwice() async throws {
        try await withTemporaryFolder { folder in
            let library = folder.appending(path: "library").path
            let first = try await Program.run(["sync", "--library", library])
            #expect(first.status == 0, "\(first.output)")
            #expect(first.output.contains("2 volumes, 4 issues, 32 articles, 26 assets came, in"), "\(first.output)")
            #expect(first.output.contains("the library: \(library)\n"), "\(first.output)")

            // Another publisher, on another port: a library knows the catalogue by its name.
            let second = try await Program.run(["sync", "--library", library])
            #expect(second.status == 0, "\(second.output)")
            #expect(second.output.contains("nothing changed, in 3 requests"), "\(second.output)")
        }
    }

    @Test("reads what was brought without any publisher")
    func readsOffline() async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            #expect(try await Program.run(["sync"] + library).status == 0)
            // A publisher that was started for nothing would fail on this folder.
            let nobody = library + ["--data", "/nowhere"]

            let contents = try await Program.run(["library"] + nobody)
            #expect(contents.status == 0, "\(contents.output)")
            let titles = [
                "Book One: Harbour", "Number 1: First", "Number 2: The", "Book Two: Hill", "Number 3", "Number 4",
            ]
            let places = titles.compactMap { contents.output.firstRange(of: $0)?.lowerBound }
            #expect(places.count == titles.count && places == places.sorted(), "\(contents.output)")
            #expect(contents.output.contains("2025-01-06 · Number 1: First Light · Winter 2025 · 8 articles"))
            #expect(contents.output.contains("32 articles and 26 assets in all, 0 of no issue"))
            // What the next command is given.
            #expect(contents.output.contains("\n    \(Self.issue)\n"), "\(contents.output)")

            let issue = try await Program.run(["issue", Self.issue] + nobody)
            #expect(issue.status == 0 && issue.output.contains("Eight pieces about beginning to look."))
            #expect(issue.output.contains("   5  The Bell at Wick Rock · by Rafi Osei · Sounds\n"), "\(issue.output)")
            #expect(issue.output.components(separatedBy: " · featured\n").count == 2, "\(issue.output)")
            #expect(issue.output.contains("Number 1: First Light · Winter 2025 · 2025-01-06\n"), "\(issue.output)")
            #expect(issue.output.contains("\n      \(Self.article)\n"), "\(issue.output)")

            let article = try await Program.run(["article", Self.article] + nobody)
            #expect(article.status == 0, "\(article.output)")
            let head = """
                The Bell at Wick Rock
                by Rafi Osei · Sounds · 2025-01-06

                A bell without a ringer, and how to listen to weather.

                Nobody rings
                """
            #expect(article.output.contains(head), "\(article.output)")
            #expect(
                article.output.contains(
                    "into iron.\n\n[audio: The bell at Wick Rock in a north-west swell]\n\nIn a flat calm"
                ),
                "\(article.output)"
            )
            #expect(article.output.contains("keywords: sound, fog, harbour"))
            #expect(!article.output.contains("<") && !article.output.contains("&"))
            #expect(article.output.split(separator: "\n").allSatisfy { $0.count <= 78 })

            let search = try await Program.run(["search", "harbour", "bell", "-nowhere"] + nobody)
            #expect(search.status == 0 && search.output.contains("1 article says “harbour bell -nowhere”"))
            #expect(search.output.contains("The Bell at Wick Rock · by Rafi Osei\n"), "\(search.output)")
            #expect(search.output.contains("…") && search.output.contains(Self.article))
            let many = try await Program.run(["search"] + nobody + ["the"])
            #expect(many.output.contains("32 articles say “the”, the best 20 of them"), "\(many.output)")
        }
    }

    @Test("shows what was found in bold on a terminal, unless no colours are wanted")
    func bold() async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            #expect(try await Program.run(["sync"] + library).status == 0)

            let search = try await Program.runOnTerminal(["search", "Wick"] + library)
            #expect(search.status == 0, "\(search.output)")
            #expect(search.output.contains("The Bell at \u{1B}[1mWick\u{1B}[0m Rock"), "\(search.output)")
            let plain = try await Program.runOnTerminal(["search", "Wick"] + library, variables: ["NO_COLOR": "1"])
            #expect(plain.output.contains("The Bell at Wick Rock"), "\(plain.output)")
            #expect(!plain.output.contains("\u{1B}"), "\(plain.output.debugDescription)")
        }
    }

    @Test("shows lists and tables line by line")
    func listsAndTables() async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            #expect(try await Program.run(["sync"] + library).status == 0)

            let table = try await Program.run(["article", "6e676c6173730000000c0011"] + library)
            #expect(table.output.contains("\nDrops | 313\nOf which on time | 309\n"), "\(table.output)")
            let list = try await Program.run(["article", "6e676c6173730000000c0023"] + library)
            #expect(list.output.contains("\n3. The minister\n4. Mr Pell"), "\(list.output)")
            let heading = try await Program.run(["article", "6e676c6173730000000c0002"] + library)
            #expect(heading.output.contains("\n\nThe order of things\n\nKnock"), "\(heading.output)")
        }
    }

    @Test("says that there is nothing yet, and makes no library of it", arguments: [["library"], ["search", "moth"]])
    func nothingYet(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Program.run(arguments, variables: ["XDG_CACHE_HOME": folder.path])

            #expect(outcome.status == 1)
            #expect(outcome.output == "nothing here yet: run masthead-demo sync\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("keeps the library among the user's caches, if no folder is named")
    func userCaches() async throws {
        try await withTemporaryFolder { folder in
            let caches = folder.appending(path: "caches").path
            #expect(try await Program.run(["sync"], variables: ["XDG_CACHE_HOME": caches]).status == 0)

            #expect(FileManager.default.fileExists(atPath: caches + "/masthead-demo/library"))
            let search = try await Program.run(["search", "mackerel"], variables: ["XDG_CACHE_HOME": caches])
            #expect(search.status == 0 && search.output.contains("say “mackerel”"), "\(search.output)")
        }
    }

    @Test("says what it does not know, or cannot search for")
    func unknown() async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            #expect(try await Program.run(["sync"] + library).status == 0)

            for (arguments, answer) in [
                (["issue", "nope"], "no issue “nope” in the library"),
                (["article", Self.issue], "no article “\(Self.issue)” in the library"),
                (["search", "&"], "there is no word in “&”"),
            ] {
                let outcome = try await Program.run(arguments + library)
                #expect(outcome.status == 1 && outcome.output.contains(answer), "\(outcome.output)")
            }
            let none = try await Program.run(["search", "zeppelin"] + library)
            #expect(none.status == 0 && none.output == "0 articles say “zeppelin”\n", "\(none.output)")
        }
    }

    @Test("brings another server's magazine, and what was brought stays when the server is gone")
    func otherServer() async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            let publisher = try await Publisher()
            defer { publisher.stop() }
            let sync = ["sync", "--server", publisher.url, "--client-key", publisher.clientKey] + library
            let first = try await Program.run(sync)
            #expect(first.status == 0 && first.output.contains("32 articles"), "\(first.output)")
            let second = try await Program.run(sync)
            #expect(second.output.contains("nothing changed, in 3 requests"), "\(second.output)")

            let stranger = try await Program.run(
                ["sync", "--server", publisher.url, "--client-key", "wrong"] + library
            )
            #expect(stranger.status == 1 && stranger.output.contains("401"), "\(stranger.output)")
            publisher.stop()
            let gone = try await Program.run(sync)
            #expect(gone.status == 1 && gone.output.contains("no connection to 127.0.0.1"), "\(gone.output)")
            let contents = try await Program.run(["library"] + library)
            #expect(contents.status == 0 && contents.output.contains("32 articles"), "\(contents.output)")
        }
    }

    @Test(
        "says what a command lacks, or has no use for",
        arguments: [
            (["search"], "search needs words"), (["issue"], "issue needs a value"),
            (["article", "--check"], "article needs a value"),
            (["search", "moth", "--server", "http://127.0.0.1/", "--client-key", "k"], "only sync asks a server"),
            (["sync", "--server", "http://127.0.0.1/"], "--server needs --client-key"),
        ]
    )
    func problems(arguments: [String], answer: String) async throws {
        let outcome = try await Program.run(arguments)

        #expect(outcome.status == 2 && outcome.output.hasPrefix("masthead-demo: \(answer)"), "\(outcome.output)")
    }

    @Test("brings nothing from what is no server", arguments: ["ftp://127.0.0.1/", "nonsense"])
    func noServer(url: String) async throws {
        try await withTemporaryFolder { folder in
            let library = folder.appending(path: "library").path
            let outcome = try await Program.run(["sync", "--server", url, "--client-key", "k", "--library", library])

            #expect(outcome.status == 1 && outcome.output.contains("\(url) is no http or https URL"))
            #expect(!FileManager.default.fileExists(atPath: library))
        }
    }
}
