import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("The library's queries", .timeLimit(.minutes(1)))
struct LibraryQueryTests {
    private let folder: LibraryFolder
    private let library: Library

    init() async throws {
        folder = try LibraryFolder()
        library = try await folder.open()
        try await library.apply {
            $0.save([
                Volume(
                    id: "v1",
                    sku: "s.v1",
                    title: "One",
                    keywords: ["Café", "coast"],
                    issueIDs: ["i2", "i1"],
                    publishedDate: day(1),
                    isPublished: true
                ),
                Volume(id: "v2", title: "Two", publishedDate: day(2), isPublished: true),
                Volume(id: "v3", title: "Draft", publishedDate: day(3)),
            ])
            $0.save([
                Issue(
                    id: "i1",
                    sku: "s.i1",
                    title: "First",
                    articles: ["a3", "a1", "a2"].map { .init(id: $0) },
                    assetIDs: ["m3", "m1"],
                    created: day(0),
                    publishedDate: day(1),
                    isPublished: true
                ),
                Issue(id: "i2", title: "Second", articles: [.init(id: "a2")], created: day(2), isPublished: true),
                Issue(id: "i3", title: "Empty", publishedDate: day(3)),
            ])
            $0.save([
                Article(
                    id: "a1",
                    sku: "s.a1",
                    title: "Alpha",
                    body: "one",
                    authorURL: URL(string: "https://example.org/okafor"),
                    authorBio: "Writes.",
                    sharingURL: URL(string: "https://example.org/alpha?from=app"),
                    section: "Profiles",
                    type: "feature",
                    keywords: ["party", "Übersee"],
                    assetIDs: ["m2", "m1"],
                    customMetadata: ["ist": "LAist", "minutes": 7, "open": true, "none": nil, "tags": ["x", "y"]],
                    isFeatured: true,
                    publishedDate: day(1)
                ),
                Article(
                    id: "a2",
                    title: "Beta",
                    body: "two",
                    section: "News",
                    type: "news",
                    keywords: ["art"],
                    assetIDs: ["m1"],
                    customMetadata: CustomMetadata(text: #"{ "ist" : "LAist", "minutes": "7" }"#),
                    publishedDate: day(2)
                ),
                Article(
                    id: "a3",
                    title: "Gamma",
                    body: "three",
                    section: "News",
                    type: "ad",
                    customMetadata: CustomMetadata(text: #"says "ist":"LAist""#)
                ),
                Article(id: "a4", title: "Alone", body: "four", type: "feature", publishedDate: day(4)),
            ])
            $0.save([
                Asset(id: "m1", caption: "1", kind: .image, width: 10), Asset(id: "m2", caption: "2", kind: .sound),
                Asset(id: "m3", caption: "3", kind: .other("map")),
            ])
        }
    }

    @Test("finds volumes: newest, published, older, newer, by SKU, by keyword, of an issue")
    func volumes() async throws {
        #expect(try await library.volumes.first()?.id == "v3")
        #expect(try await library.volumes.published().newest().ids() == ["v2", "v1"])
        #expect(try await library.volumes.published().older(than: day(2)).ids() == ["v1"])
        #expect(try await library.volumes.published().newer(than: day(1)).ids() == ["v2"])
        #expect(try await library.volumes.withSKU("s.v1").ids() == ["v1"])
        #expect(try await library.volumes.withKeyword(anyOf: ["cafe", "nothing"]).ids() == ["v1"])
        #expect(try await library.volumes.ofIssue("i1").ids() == ["v1"])
        #expect(try await library.volumes.withID("v2").first()?.title == "Two")
    }

    @Test("finds issues: newest, by SKU, of a volume, older, newer")
    func issues() async throws {
        #expect(try await library.issues.newest().ids() == ["i3", "i2", "i1"])
        #expect(try await library.issues.oldest().first()?.id == "i1")
        #expect(try await library.issues.withSKU("s.i1").ids() == ["i1"])
        #expect(try await library.issues.ofVolume("v1").ids() == ["i2", "i1"])
        #expect(try await library.issues.ofVolume("v1").oldest().ids() == ["i1", "i2"])
        #expect(try await library.issues.ofVolume("v2").ids().isEmpty)
        #expect(try await library.issues.older(than: day(2)).ids() == ["i1"])
        #expect(try await library.issues.published().newer(than: day(1)).ids() == ["i2"])
        #expect(try await library.issues.ofArticle("a2").ids() == ["i2", "i1"])
    }

    @Test("finds articles: of an issue, of a type, of all but a type, by property, paged, in the issue's order")
    func articles() async throws {
        let inIssue = library.articles.inIssue("i1")
        #expect(try await inIssue.ids() == ["a3", "a1", "a2"])
        #expect(try await inIssue.newest().ids() == ["a2", "a1", "a3"])
        #expect(try await inIssue.ofType("feature").ids() == ["a1"])
        #expect(try await inIssue.notOfType("ad").ids() == ["a1", "a2"])
        #expect(try await inIssue.page(1, limit: 2).map(\.id) == ["a3", "a1"])
        #expect(try await inIssue.page(2, limit: 2).map(\.id) == ["a2"])
        #expect(try await inIssue.page(3, limit: 2).isEmpty)
        #expect(try await inIssue.page(.max, limit: .max).isEmpty)
        #expect(try await inIssue.count() == 3)
        #expect(try await inIssue.where(.section, is: "News").ids() == ["a3", "a2"])
        #expect(try await library.articles.where(.field(.section, isAnyOf: ["Profiles", "x"])).ids() == ["a1"])
        #expect(try await library.articles.withSKU("s.a1").ids() == ["a1"])
        #expect(try await library.articles.independent().ids() == ["a4"])
        #expect(try await library.articles.ofAsset("m1").ids() == ["a2", "a1"])
        #expect(try await inIssue.older(than: day(2)).ids() == ["a1"])
        #expect(try await library.articles.newer(than: day(1)).ids() == ["a4", "a2"])
        #expect(try await inIssue.inIssue("i2").ids() == ["a2"])
    }

    @Test("finds an article by the page that is shared, as an app that was opened with it has to")
    func urls() async throws {
        let page = try #require(URL(string: "https://example.org/alpha?from=app"))
        #expect(try await library.articles.where(.sharingURL, is: page).ids() == ["a1"])
        #expect(try await library.articles.where(.sharingURL, is: page.appending(path: "x")).ids().isEmpty)
        let author = try #require(URL(string: "https://example.org/okafor"))
        #expect(try await library.articles.where(.authorURL, is: author).ids() == ["a1"])
        #expect(try await library.articles.where(.authorBio, is: "Writes.").ids() == ["a1"])
    }

    @Test("reads texts only when it is asked for them")
    func bodies() async throws {
        #expect(try await library.articles.inIssue("i1").all().map(\.body) == ["", "", ""])
        #expect(try await library.articles.inIssue("i1").bodies().all().map(\.body) == ["three", "one", "two"])
    }

    @Test("an unknown parent, an empty list and an empty choice find nothing, and not everything (defect 13)")
    func emptiness() async throws {
        #expect(try await library.articles.inIssue("none").ids().isEmpty)
        #expect(try await library.articles.inIssue("i3").ids().isEmpty)
        #expect(try await library.assets.ofArticle("a3").playlist().ids().isEmpty)
        #expect(try await library.articles.withKeyword(anyOf: []).ids().isEmpty)
        #expect(try await library.articles.where(.field(.section, isAnyOf: [])).ids().isEmpty)
        #expect(try await library.articles.where(.any([])).ids().isEmpty)
        #expect(try await library.articles.where(.all([])).count() == 4)
    }

    @Test("featured counts in the issue that is asked for, and elsewhere as the article says")
    func featured() async throws {
        #expect(try await library.articles.inIssue("i1").featured().ids() == ["a1"])
        try await library.apply {
            $0.setFeatured(true, "a2", in: "i2")
            $0.setFeatured(false, "a1", in: "i1")
        }
        #expect(try await library.articles.inIssue("i2").featured().ids() == ["a2"])
        #expect(try await library.articles.inIssue("i1").featured().ids().isEmpty)
        #expect(try await library.articles.featured().ids() == ["a1"])
        // It stays when the issue comes again in another order.
        try await library.apply {
            $0.save(Issue(id: "i2", title: "Second", articles: ["a1", "a2"].map { .init(id: $0) }))
        }
        #expect(try await library.articles.inIssue("i2").featured().ids() == ["a1", "a2"])
    }

    @Test(
        "finds whole keywords, in any case, with or without diacritics (defect 49)",
        arguments: [
            ("art", "a2"), ("ART", "a2"), ("ubersee", "a1"), ("U\u{308}BERSEE", "a1"), ("par", nil), ("%", nil),
        ]
    )
    func keywords(word: String, expected: String?) async throws {
        #expect(
            try await library.articles.withKeyword(anyOf: [word]).ids().map(\.rawValue) == [expected].compactMap { $0 }
        )
    }

    @Test(
        "finds metadata by key and value of its own type, however it is written (defect 50)",
        arguments: [
            ("ist", "LAist", ["a2", "a1"]), ("minutes", 7, ["a1"]), ("minutes", 7.0, ["a1"]), ("minutes", "7", ["a2"]),
            ("open", true, ["a1"]), ("open", false, []), ("none", nil, ["a1"]), ("tags", ["x", "y"], ["a1"]),
            ("tags", ["x"], []), ("missing", nil, []), ("i\"st", "LAist", []),
        ] as [(String, JSONValue, [String])]
    )
    func metadata(key: String, value: JSONValue, expected: [String]) async throws {
        #expect(try await library.articles.where(.metadata(key, is: value)).ids().map(\.rawValue) == expected)
    }

    @Test("conditions compose")
    func composes() async throws {
        let news: LibraryCondition<Article> = .field(.section, is: "News")
        let query = library.articles.where(.any([.all([news, .not(.keyword("art"))]), .field(.title, is: "Alpha")]))
        #expect(try await query.ids() == ["a1", "a3"])
        // What has no date is not before one, and so among those that are not.
        #expect(try await library.articles.where(.not(.field(.date, isLessThan: day(2)))).ids() == ["a4", "a2", "a3"])
    }

    @Test("thousands of conditions are no error, one beside the other or one after the other")
    func manyConditions() async throws {
        let none = (0..<3000).map { LibraryCondition<Article>.field(.section, is: "none \($0)") }
        #expect(try await library.articles.where(.any(none + [.field(.title, is: "Alpha")])).ids() == ["a1"])
        #expect(try await library.articles.where(.all(none.map { .not($0) })).count() == library.articles.count())
        let query = none.reduce(library.articles) { $0.where(.not($1)) }
        #expect(try await query.where(.field(.title, is: "Alpha")).ids() == ["a1"])
    }

    @Test("nothing is the first of nothing")
    func firstOfNothing() async throws {
        #expect(try await library.articles.limited(to: 0).first() == nil)
        #expect(try await library.articles.inIssue("i1").limited(to: 2, after: 1).first()?.id == "a1")
    }

    @Test("finds assets: of a volume, an issue, an article, of a kind, the first, the playlist, their number")
    func assets() async throws {
        #expect(try await library.assets.ofArticle("a1").ids() == ["m2", "m1"])
        #expect(try await library.assets.ofArticle("a1").ofKind(.image).first()?.id == "m1")
        #expect(try await library.assets.ofArticle("a1").playlist().ids() == ["m2"])
        #expect(try await library.assets.ofIssue("i1").ids() == ["m3", "m1"])
        #expect(try await library.assets.ofIssue("i1").count() == 2)
        #expect(try await library.assets.ofArticles(in: "i1").ids() == ["m1", "m2"])
        #expect(try await library.assets.ofVolume("v1").count() == 0)
        #expect(try await library.assets.ofKind(.other("map")).ids() == ["m3"])
        #expect(try await library.assets.where(.width, is: 10).ids() == ["m1"])
        #expect(try await library.assets.withID("m2").first()?.caption == "2")
    }
}
