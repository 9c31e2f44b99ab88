import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

// Defects 13, 25, 28, 36, 49 and 50: what is asked of the library.
extension DefectTests {
    @Test("defect 13: what holds nothing has nothing, not everything, and its sync deletes nothing of others")
    func defect13() async throws {
        let (library, _) = try await open([
            "articles/a1": #"{"articles":[{"id":"a1","body":"x","media":[]}]}"#,
            "articles/a2": #"{"articles":[{"id":"a2","body":"x","media":[{"id":"m1"},{"id":"m2"}]}]}"#,
            "media/m1,m2": #"{"media":[{"id":"m1","meta":{"type":"audio"}},{"id":"m2"}]}"#,
            "issues/i1": #"{"issues":[{"id":"i1","articles":[]}]}"#,
        ])
        try await library.add(article: "a2")
        try await library.take(folder.makeFile("bell.mp3"), for: "m1")
        for _ in 0..<2 {
            try await library.add(article: "a1")
            try await library.refresh(article: "a1")
            try await library.add(issue: "i1")
        }
        #expect(try await library.assets.ofArticle("a1").ids() == [])
        #expect(try await library.assets.ofArticle("a1").playlist().count() == 0)
        #expect(try await library.assets.ofArticle("nobody").first() == nil)
        #expect(try await library.assets.ofIssue("i1").ids() == [])
        #expect(try await library.assets.ofArticles(in: "i1").ids() == [])
        #expect(try await library.assets.ofVolume("nobody").ids() == [])
        #expect(try await library.articles.inIssue("i1").all() == [])
        #expect(try await library.articles.inIssue("nobody").featured().all() == [])
        #expect(try await library.articles.withKeyword(anyOf: []).all() == [])
        #expect(try await library.issues.ofVolume("nobody").all() == [])
        try await library.apply {
            $0.delete(article: "a1")
            $0.delete(articlesOf: "i1")
            $0.delete(articlesOf: "nobody")
        }
        #expect(try await library.assets.ofArticle("a2").ids() == ["m1", "m2"])
        #expect(try await library.assets.ofArticle("a2").playlist().ids() == ["m1"])
        #expect(folder.fileNames.count == 1)
    }

    @Test(
        "defect 25: an id, a SKU or a word is compared, and never part of the question",
        arguments: [
            "x' OR '1'='1", "x'; DROP TABLE article; --", "\" OR 1=1 --", "%", "_", "*", "NULL", "a1' --",
            "' UNION SELECT id FROM article --",
        ]
    )
    func defect25(text: String) async throws {
        let library = try await folder.open()
        try await library.apply {
            $0.save(Asset(id: "m1", caption: "C"))
            $0.save(
                Article(id: "a1", sku: "s", title: "A", body: "b", section: "S", keywords: ["k"], assetIDs: ["m1"])
            )
            $0.save(Issue(id: "i1", sku: "s", title: "I", articles: [.init(id: "a1")], assetIDs: ["m1"]))
            $0.save(Volume(id: "v1", sku: "s", title: "V", keywords: ["k"], assetIDs: ["m1"], issueIDs: ["i1"]))
        }
        #expect(try await library.volume(Volume.ID(text)) == nil)
        #expect(try await library.issue(Issue.ID(text)) == nil)
        #expect(try await library.article(Article.ID(text)) == nil)
        #expect(try await library.asset(Asset.ID(text)) == nil)
        #expect(try await library.volumes.withID(Volume.ID(text)).count() == 0)
        #expect(try await library.volumes.withKeyword(anyOf: [text]).count() == 0)
        #expect(try await library.issues.ofVolume(Volume.ID(text)).count() == 0)
        #expect(try await library.issues.withSKU(SKU(text)).count() == 0)
        #expect(try await library.articles.inIssue(Issue.ID(text)).count() == 0)
        #expect(try await library.articles.where(.section, is: text).count() == 0)
        #expect(try await library.articles.where(.metadata(text, is: .string(text))).count() == 0)
        #expect(try await library.articles.ofAsset(Asset.ID(text)).count() == 0)
        #expect(try await library.assets.ofArticle(Article.ID(text)).count() == 0)
        _ = try await library.search(text)
        try await library.apply {
            $0.delete(volume: Volume.ID(text))
            $0.delete(issue: Issue.ID(text))
            $0.delete(articlesOf: Issue.ID(text))
            $0.delete(article: Article.ID(text))
            $0.delete(asset: Asset.ID(text))
        }
        #expect(try await library.volumes.count() == 1)
        #expect(try await library.assets.ofArticle("a1").ids() == ["m1"])
        // And it may be an id itself.
        try await library.apply { $0.save(Article(id: Article.ID(text), title: "B", keywords: [text])) }
        #expect(try await library.articles.withKeyword(anyOf: [text]).ids() == [Article.ID(text)])
        try await library.apply { $0.delete(article: Article.ID(text)) }
        #expect(try await library.articles.ids() == ["a1"])
    }

    @Test("defect 28: captions, sources and addresses do not become markup")
    func defect28() async throws {
        let library = try await folder.open()
        let hostile = #"<script>steal()</script><img src=x onerror='steal()'> 1 < 2 & "so" it's"#
        try await library.apply {
            $0.save(Asset(id: "m1", caption: hostile, source: hostile, kind: .image))
            $0.save(Article(id: "a1", title: "A", body: "<p>One <!-- [ASSET: m1] --> two</p>", assetIDs: ["m1"]))
        }
        let article = try #require(try await library.article("a1"))
        let html = try await library.html(
            of: article,
            BodyRenderer(alternativeText: "it's <b>") { _, _ in
                URL(string: "https://example.org/it's?a=1&b='onerror='steal()")
            }
        )
        #expect(!html.contains("<script") && !html.contains("onerror='steal()'"))
        #expect(html.contains("1 &lt; 2 &amp; &quot;so&quot; it&#39;s"))
        let address = try #require(html.firstMatch(of: /src='([^']*)' alt='([^']*)' \/>/))
        #expect(address.output.1 == "https://example.org/it&#39;s?a=1&amp;b=&#39;onerror=&#39;steal()")
        #expect(address.output.2 == "it&#39;s &lt;b&gt;")
        #expect(html.hasPrefix("<p>One <div") && html.hasSuffix(" two</p>"))
    }

    @Test("defect 36: pages are cut where they are asked for, one after the other, and each article is on one")
    func defect36() async throws {
        let library = try await folder.open()
        try await library.apply { changes in
            changes.save((0..<300).map { Article(id: "a\($0)", title: "T", publishedDate: day(Double($0))) })
        }
        #expect(try await library.articles.page(2, limit: 2).map(\.id) == ["a297", "a296"])
        #expect(try await library.articles.limited(to: 2, after: 298).ids() == ["a1", "a0"])
        var ids: [Article.ID] = []
        for page in 1...43 { ids += try await library.articles.page(page, limit: 7).map(\.id) }
        #expect(ids == (0..<300).reversed().map { Article.ID("a\($0)") })
        #expect(try await library.articles.page(44, limit: 7).isEmpty)
    }

    @Test("defect 49: keywords are words, whether they came as a list or as a text, and count whole and in any case")
    func defect49() async throws {
        let (library, _) = try await open([
            "articles/a1": #"{"articles":[{"id":"a1","body":"x","keywords":["party","Café Noir"]}]}"#,
            "articles/a2": #"{"articles":[{"id":"a2","body":"x","keywords":"Art, café noir,"}]}"#,
        ])
        try await library.add(article: "a1")
        try await library.add(article: "a2")
        #expect(try await library.article("a2")?.keywords == ["Art", "café noir"])
        let expected: [(String, [Article.ID])] = [
            ("art", ["a2"]), ("ART", ["a2"]), ("party", ["a1"]), ("part", []), ("cafe noir", ["a1", "a2"]),
            ("cafe", []), ("[", []), ("\"party\"", []), (",", []),
        ]
        for (word, found) in expected {
            #expect(Set(try await library.articles.withKeyword(anyOf: [word]).ids()) == Set(found), "\(word)")
        }
    }

    @Test("defect 50: metadata is found by its value, of any type, however it was written")
    func defect50() async throws {
        let metadata = [
            #"{"n":7,"b":true,"s":"a\/b \"c\" é"}"#,
            #""{ \"s\" : \"a/b \\\"c\\\" é\" , \"n\":\"7\"}""#,
            #"{"other":"\"n\":7,\"s\":\"a/b\""}"#,
        ]
        let texts = metadata.enumerated().map { number, text in
            #"{"id":"a\#(number + 1)","body":"x","customMeta":\#(text)}"#
        }
        let (library, _) = try await open(["articles": #"{"articles":[\#(texts.joined(separator: ","))]}"#])
        #expect(try await library.addAllArticles(nil, page: 1).articles.count == 3)
        let expected: [(String, JSONValue, Set<Article.ID>)] = [
            ("n", 7, ["a1"]), ("n", "7", ["a2"]), ("b", true, ["a1"]), ("b", 1, []),
            ("s", "a/b \"c\" é", ["a1", "a2"]), ("s", "a/b", []),
        ]
        for (key, value, found) in expected {
            #expect(Set(try await library.articles.where(.metadata(key, is: value)).ids()) == found, "\(key) \(value)")
        }
    }
}
