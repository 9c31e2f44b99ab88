import Foundation
import Testing

@Suite("masthead-demo sync of a magazine that changes", .timeLimit(.minutes(2)))
struct LibrarySyncChangesTests {
    private let article = "6e676c6173730000000c0005"
    private let issue = "6e676c6173730000000b0001"

    /// Changes a JSON file of a magazine, which says then that it was changed now.
    private func change(_ name: String, in folder: URL, _ body: (inout [String: Any]) -> Void) throws {
        let file = folder.appending(path: name)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        var members = try #require(object as? [String: Any])
        body(&members)
        var meta = members["meta"] as? [String: Any] ?? [:]
        meta["updated"] = ["date": Date.now.formatted(.iso8601)]
        members["meta"] = meta
        try JSONSerialization.data(withJSONObject: members).write(to: file)
    }

    private func withLibrary(
        _ body: (_ magazine: URL, _ library: [String]) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let library = ["--library", folder.appending(path: "library").path]
            try await withCopyOfTheMagazine { magazine in
                #expect(try await Program.run(["sync", "--data", magazine.path] + library).status == 0)
                try await body(magazine, library)
            }
        }
    }

    @Test("brings an article that was changed, and nothing else")
    func changed() async throws {
        try await withLibrary { magazine, library in
            try change("articles/05-the-bell-at-wick-rock.json", in: magazine) { $0["title"] = "The Silent Bell" }
            let outcome = try await Program.run(["sync", "--data", magazine.path] + library)
            #expect(outcome.output.contains("0 volumes, 0 issues, 1 article, "), "\(outcome.output)")

            let search = try await Program.run(["search", "title:silent"] + library)
            #expect(search.output.contains("The Silent Bell · by Rafi Osei\n"), "\(search.output)")
        }
    }

    @Test("says what was removed, since its issue lists it no longer")
    func removed() async throws {
        try await withLibrary { magazine, library in
            try change("issues/1.json", in: magazine) { members in
                let articles = members["articles"] as? [[String: Any]] ?? []
                members["articles"] = articles.filter { $0["id"] as? String != article }
            }
            let outcome = try await Program.run(["sync", "--data", magazine.path] + library)
            #expect(
                outcome.status == 0 && outcome.output.contains("removed: article \(article)\n"),
                "\(outcome.output)"
            )

            #expect(try await Program.run(["article", article] + library).status == 1)
        }
    }

    @Test("keeps the articles of a list that came back empty, and says so")
    func kept() async throws {
        try await withLibrary { magazine, library in
            try change("issues/1.json", in: magazine) { $0["articles"] = [] }
            let outcome = try await Program.run(["sync", "--data", magazine.path] + library)
            let line = "kept: 8 articles of issue \(issue), whose list has 0 now\n"
            #expect(outcome.status == 0 && outcome.output.contains(line), "\(outcome.output)")

            #expect(try await Program.run(["article", article] + library).status == 0)
        }
    }

    @Test("says what the server does not know, and what is missing of an issue then")
    func unknown() async throws {
        try await withLibrary { magazine, library in
            try change("issues/1.json", in: magazine) { members in
                let articles = members["articles"] as? [[String: Any]] ?? []
                members["articles"] = articles + [["id": "nobody"]]
            }
            let outcome = try await Program.run(["sync", "--data", magazine.path] + library)
            #expect(
                outcome.status == 0 && outcome.output.contains("not known to the server: article nobody\n"),
                "\(outcome.output)"
            )

            let contents = try await Program.run(["issue", issue] + library)
            #expect(contents.output.contains("\n  1 more article of it not in the library\n"), "\(contents.output)")
        }
    }

    @Test("lists an issue that no volume has any more by itself")
    func looseIssue() async throws {
        try await withLibrary { magazine, library in
            try change("volumes/1.json", in: magazine) { $0["issues"] = [["id": "6e676c6173730000000b0002"]] }
            #expect(try await Program.run(["sync", "--data", magazine.path] + library).status == 0)

            let contents = try await Program.run(["library"] + library)
            let end = try #require(contents.output.firstRange(of: "\nOf no volume · 1 issue\n")?.upperBound)
            #expect(contents.output[end...].hasPrefix("  2025-01-06 · Number 1: "), "\(contents.output)")
            #expect(contents.output.components(separatedBy: "Number 1: ").count == 2, "\(contents.output)")
        }
    }

    @Test("shows the captions of assets for which a text has no place after it")
    func unplaced() async throws {
        try await withLibrary { magazine, library in
            try change("articles/05-the-bell-at-wick-rock.json", in: magazine) { $0["body"] = "<p>Listen.</p>" }
            #expect(try await Program.run(["sync", "--data", magazine.path] + library).status == 0)

            let text = try await Program.run(["article", article] + library).output
            #expect(text.contains("\n\nListen.\n\n[audio: The bell at Wick Rock"), "\(text)")
        }
    }

    @Test("shows nothing that a terminal would obey")
    func controlCharacters() async throws {
        try await withLibrary { magazine, library in
            try change("articles/05-the-bell-at-wick-rock.json", in: magazine) { members in
                for name in ["title", "description", "authorName", "section"] { members[name] = "Ding\u{1B}[2Jdong" }
                members["body"] = "<p>Ding\u{1B}]0;dong\u{7}dang\u{9B}2J &#27;[5m</p>"
                members["keywords"] = ["ding\u{1B}c"]
            }
            #expect(try await Program.run(["sync", "--data", magazine.path] + library).status == 0)

            let searches = ["ding", "dang", "2jdong"].map { ["search", $0] }
            for arguments in [["article", article], ["issue", issue]] + searches {
                let output = try await Program.run(arguments + library).output
                #expect(output.contains("ing"), "\(output)")
                let obeyed = output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
                #expect(obeyed.isEmpty, "\(output.debugDescription)")
            }
        }
    }
}
