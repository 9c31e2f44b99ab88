import Foundation
import MastheadPublishing
import MastheadSQLite
import Testing

@Suite("Searching the library", .timeLimit(.minutes(1)))
struct LibrarySearchTests {
    private let folder: LibraryFolder
    private let library: Library

    init() async throws {
        folder = try LibraryFolder()
        library = try await folder.open()
        try await library.apply {
            $0.save(Asset(id: "m1", caption: "The <em>Corran</em> at slack water"))
            $0.save([
                Article(
                    id: "ferry",
                    title: "The Ferry Clerk",
                    summary: "A portrait.",
                    body:
                        "<p>He sells tickets at the har<b>bour</b>.</p><script>var zeppelin = 1</script><p>Salt &amp; rust, caf&eacute; and &#x201C;low water&#x201D;.</p>",
                    authorName: "R. Okafor",
                    keywords: ["labour", "Übersee"],
                    assetIDs: ["m1"]
                ),
                Article(id: "harbour", title: "Harbour", body: "<p>Low tides, high water.</p>", authorName: "M. Dahl"),
                Article(id: "other", title: "Elsewhere", body: "<p>Nothing of the sort, but a harbour once.</p>"),
            ])
            $0.save(Issue(id: "i", title: "I", articles: ["ferry", "other"].map { .init(id: $0) }))
        }
    }

    private func ids(_ text: String) async throws -> [String] {
        try await library.search(text).map(\.id.rawValue)
    }

    @Test(
        "finds words, beginnings, phrases, either, none of, in a field, without regard to case and diacritics",
        arguments: [
            ("harbour", ["harbour", "ferry", "other"]), ("HARBOUR", ["harbour", "ferry", "other"]),
            ("har*", ["harbour", "ferry", "other"]), ("harb", []), ("cafe", ["ferry"]), ("CAFÉ", ["ferry"]),
            ("\"low water\"", ["ferry"]), ("“low water”", ["ferry"]), ("low water", ["ferry", "harbour"]),
            ("water -tides", ["ferry"]), ("water NOT tides", ["ferry"]), ("tickets OR tides", ["ferry", "harbour"]),
            ("(tickets OR tides) low", ["ferry", "harbour"]), ("title:harbour", ["harbour"]),
            ("author:oka*", ["ferry"]), ("author:(dahl OR nobody)", ["harbour"]), ("keywords:ubersee", ["ferry"]),
            ("captions:corran", ["ferry"]), ("captions:em", []), ("body:clerk", []), ("summary:portrait", ["ferry"]),
            ("zeppelin", []), ("strong", []), ("amp", []), ("or", []), ("12:30", []),
        ] as [(String, [String])]
    )
    func finds(text: String, expected: [String]) async throws {
        #expect(Set(try await ids(text)) == Set(expected))
    }

    @Test("the best comes first: a title before a text")
    func ranks() async throws {
        #expect(try await ids("harbour").first == "harbour")
        #expect(try await library.search("harbour", page: 1, limit: 1).map(\.id) == ["harbour"])
        #expect(try await library.search("harbour", page: 2, limit: 1).count == 1)
        #expect(try await library.search("harbour", page: 4, limit: 1).isEmpty)
        #expect(try await library.articles.count(of: SearchQuery("harbour")) == 3)
    }

    @Test("finds while a word is being typed")
    func typing() async throws {
        let typed = { (text: String) in try await self.library.articles.search(SearchQuery(typing: text)).count }
        #expect(try await typed("h") == 3)
        #expect(try await typed("low wat") == 2)
        #expect(try await typed("harb ") == 0)
        #expect(try await typed("") == 0)
    }

    @Test(
        "no text is ever an error",
        arguments: [
            "", " ", "\"", "\"\"", "(", ")", "((", "))", "()", "*", "-", "--", "AND", "OR", "NOT", "OR OR", "NOT NOT",
            "a OR",
            "NEAR(a b)", "a AND", "title:", "title:(", "title:title:a", "title:\"", ":", "a:b", "^a", "a + b",
            "{a b}: c",
            "'; DROP TABLE article_text; --", "\u{0}", "a\u{0}b", "&", "🙂", "\u{E000}a", "a\"b\"\"c", "-a", "NOT a",
            "\\",
            String(repeating: "(", count: 5000), String(repeating: "a ", count: 5000),
            String(repeating: "-a ", count: 99),
        ]
    )
    func neverAnError(text: String) async throws {
        for query in [SearchQuery(text), SearchQuery(typing: text), .word(text), .prefix(text), .phrase(text)] {
            for query in [
                query, .field(.title, query), .all([query, .word("harbour")]), .any([query, .word("harbour")]),
            ] {
                _ = try await library.articles.search(query)
                _ = try await library.articles.count(of: query)
            }
            _ = try await library.articles.search(.excluding(.word("harbour"), query))
        }
    }

    @Test("random texts are no errors either", arguments: 0..<4)
    func fuzz(seed: UInt64) async throws {
        var state = seed &+ 0x9E37_79B9
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "\"", "(", ")", "*", "-", " ", " OR ", " NOT ", "title:", "a", "harbour", ":", "+", "^", "{", "}", ",", "é",
            "&",
        ]
        for _ in 0..<250 {
            let text = (0..<(1 + random(12))).map { _ in pieces[random(pieces.count)] }.joined()
            _ = try await library.articles.search(SearchQuery(text))
            _ = try await library.articles.search(SearchQuery(typing: text))
        }
    }

    @Test("a query that is built too deep or too long is cut, and no error")
    func bounds() async throws {
        var deep = SearchQuery.word("harbour")
        for _ in 0..<1000 { deep = .all([deep, .word("water")]) }
        _ = try await library.articles.search(deep)
        for _ in 0..<1000 { deep = .field(.body, .excluding(.word("harbour"), .any([.word("tide"), deep]))) }
        _ = try await library.articles.search(deep)
        let long = SearchQuery.any((0..<5000).map { .word("w\($0)") } + [.word("harbour")])
        #expect(try await library.articles.search(long).isEmpty)
    }

    @Test("a lone sign in a query is passed over")
    func signs() async throws {
        #expect(try await ids("salt & rust") == ["ferry"])
        #expect(try await ids("&").isEmpty)
    }

    @Test("shows where it was found, as text and as HTML")
    func highlights() async throws {
        let hit = try #require(try await library.search("salt").first)
        #expect(hit.snippet.text.contains("Salt & rust"))
        #expect(hit.snippet.highlights.map { String(hit.snippet.text[$0]) } == ["Salt"])
        #expect(hit.snippet.html().contains("<mark>Salt</mark> &amp; rust"))
        #expect(hit.snippet.html(element: "b onclick").contains("<mark>Salt"))
        #expect(hit.title.text == "The Ferry Clerk")
        #expect(hit.title.highlights.isEmpty)
        let titled = try #require(try await library.search("clerk").first)
        #expect(titled.title.html(element: "b") == "The Ferry <b>Clerk</b>")
        #expect(titled.article.body.isEmpty)
    }

    @Test("shows the piece that says most of what was searched for, cut between words")
    func pieces() async throws {
        let filler = String(repeating: "nothing to be seen here but ropes, ", count: 40)
        let middle = "Then the lantern of the harbour was lit, and harbour seals came. "
        let long = "The harbour first. \(filler)\(middle)\(filler)"
        try await library.apply {
            $0.save(Article(id: "long", title: "Long", body: "<p>\(long)</p>"))
            $0.save(Article(id: "han", title: "漢", body: String(repeating: "海", count: 300) + " 港口 " + filler))
        }
        let piece = try #require(try await library.search("lantern harbour").first).snippet
        #expect(piece.highlights.map { String(piece.text[$0]) } == ["lantern", "harbour", "harbour"])
        #expect(piece.text.hasPrefix("…") && piece.text.hasSuffix("…") && (100...152).contains(piece.text.count))
        #expect(long.contains(" \(piece.text.dropFirst().dropLast()) "), "\(piece.text)")

        let start = try #require(try await library.search("first").first).snippet
        #expect(start.text.hasPrefix("The harbour first. nothing") && start.text.hasSuffix("…"))
        #expect(start.highlights.map { String(start.text[$0]) } == ["first"])

        let han = try #require(try await library.search("港口").first).snippet
        #expect(han.highlights.map { String(han.text[$0]) } == ["港口"])
        #expect(!han.text.contains("\u{FFFD}") && (50...300).contains(han.text.count), "\(han.text)")
    }

    // Of the long texts, the index's own pieces would take a minute and a half.
    @Test("what stands in a text everywhere, or is asked for again and again, is found soon")
    func everywhere() async throws {
        let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"
        let text = String(repeating: "tides turn ", count: isSoak ? 10_000 : 1000)
        let articles = (0..<8).map { Article(id: .init("t\($0)"), title: "T", body: text) }
        try await library.apply { $0.save(articles) }

        for query in ["t", String(repeating: "t* ", count: 300), "\"tides turn tides\""] {
            let hits = try await library.articles.where(.title, is: "T").search(SearchQuery(typing: query))
            #expect(hits.count == 8)
            #expect(hits.allSatisfy { !$0.snippet.highlights.isEmpty && $0.snippet.text.count < 200 })
        }
    }

    @Test("searches in what a query asks for, and a query finds what says something")
    func composes() async throws {
        let hits = try await library.articles.inIssue("i").search(SearchQuery("harbour"))
        #expect(Set(hits.map(\.id)) == ["ferry", "other"])
        #expect(
            try await library.articles.where(.title, is: "Harbour").search(SearchQuery("water")).map(\.id) == [
                "harbour"
            ]
        )
        #expect(try await library.articles.inIssue("i").matching(SearchQuery("harbour")).ids() == ["ferry", "other"])
        #expect(try await library.articles.matching(SearchQuery("&")).count() == 0)
    }

    @Test("follows what is saved and deleted, in the same transaction")
    func follows() async throws {
        try await library.apply { $0.save(Article(id: "other", title: "Lighthouse", body: "<p>Lamp.</p>")) }
        #expect(try await ids("elsewhere").isEmpty)
        #expect(try await ids("lamp") == ["other"])
        // Without a text it keeps the one it has.
        try await library.apply { $0.save(Article(id: "other", title: "Tower")) }
        #expect(try await ids("tower lamp") == ["other"])
        try await library.apply { $0.save(Asset(id: "m1", caption: "The Isla")) }
        #expect(try await ids("corran").isEmpty)
        #expect(try await ids("isla") == ["ferry"])
        try await library.apply { $0.delete(asset: "m1") }
        #expect(try await ids("isla").isEmpty)
        try await library.apply { $0.delete(article: "ferry") }
        #expect(try await ids("ferry").isEmpty)
        // The asset after the article, in the same breath.
        try await library.apply {
            $0.save(Article(id: "late", title: "L", assetIDs: ["m9"]))
            $0.save(Asset(id: "m9", caption: "Belated"))
        }
        #expect(try await ids("belated") == ["late"])
        // What is refused as a whole is not indexed.
        try await library.apply { $0.setPurchased(true, .article("late")) }
        await #expect(throws: LibraryError.self) {
            try await library.apply {
                $0.save(Article(id: "never", title: "Phantom"))
                $0.delete(article: "late")
            }
        }
        #expect(try await ids("phantom").isEmpty)
        try await library.apply { $0.delete(article: "late", force: true) }
        #expect(try await ids("belated").isEmpty)
    }

    @Test("ranks the latest of very many hits")
    func manyHits() async throws {
        let articles = (0..<20_100).map { number in
            Article(id: .init("n\(number)"), title: number == 20_050 ? "common" : "common as can be")
        }
        try await library.apply { $0.save(articles) }
        let hits = try await library.search("common")
        #expect(hits.count == 20)
        #expect(hits.first?.id == "n20050")
        #expect(try await library.search("title:common", page: 2).count == 20)
    }
}
