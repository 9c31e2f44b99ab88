import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("Articles of a library", .timeLimit(.minutes(1)))
struct LibraryArticleTests {
    private let folder: LibraryFolder
    private let library: Library

    init() async throws {
        folder = try LibraryFolder()
        library = try await folder.open()
    }

    private static let full = Article(
        id: "a1",
        sku: "s.a1",
        title: "Größer als sonst",
        slug: "groesser",
        summary: "",
        body: "<p>Salt</p>",
        authorName: "Ada Lindqvist",
        authorURL: URL(string: "https://example.org/ada"),
        authorBio: "Writes.",
        sharingURL: nil,
        section: "Profiles",
        type: "essay",
        commentary: "a\0b",
        keywords: ["harbour", "Übersee"],
        assetIDs: ["m2", "m1", "with\u{1F}unit"],
        customMetadata: ["accent": "#0a5c7a", "minutes": 7],
        isFeatured: true,
        isPublished: true,
        publishedDate: day(1),
        updated: day(2)
    )

    private static let changes: [@Sendable (inout Article) -> Void] = [
        { $0.sku = nil }, { $0.title = "New" }, { $0.slug = "new" }, { $0.summary = "new" }, { $0.authorName = "" },
        { $0.authorURL = nil }, { $0.authorBio = "new" }, { $0.sharingURL = URL(string: "https://example.org/new") },
        { $0.section += "!" }, { $0.type = "" }, { $0.commentary = "new" }, { $0.keywords.append("salt") },
        { $0.customMetadata = CustomMetadata(text: "shelf 4") }, { $0.assetIDs = [] }, { $0.body = "" },
        { $0.isFeatured = false },
    ]

    @Test("one that was read is the one that was saved, and stays so whatever is changed in both")
    func isTheSame() async throws {
        try await library.apply { $0.save(Self.full) }
        let read = try #require(try await library.article("a1"))
        #expect(read == Self.full)
        #expect(read.hashValue == Self.full.hashValue)
        #expect(read == (try await library.article("a1")))
        #expect("\(read)".contains("Ada Lindqvist"), "it is described by what it says")
        for change in Self.changes {
            var (ours, theirs) = (read, Self.full)
            change(&ours)
            change(&theirs)
            #expect(ours == theirs)
            #expect(ours.hashValue == theirs.hashValue)
            #expect(ours != read)
            #expect(ours != Self.full)
            #expect(read == Self.full, "a copy is changed alone")
            try await library.apply { [ours] in $0.save(ours) }
            var expected = theirs
            // One without a text leaves the text that is stored.
            if expected.body.isEmpty { expected.body = Self.full.body }
            #expect(try await library.article("a1") == expected)
        }
    }

    @Test("many come with the assets of each, in its order, and those without with none")
    func assetsOfMany() async throws {
        let articles = (0..<45).map { number in
            let assets = (0..<number % 4).map { Asset.ID("m\(9 - $0)-\(number % 3)") }
            return Article(id: Article.ID("a\(number)"), assetIDs: assets, publishedDate: day(Double(-number)))
        }
        try await library.apply { changes in
            // So that their numbers are not those of the list.
            for article in articles.reversed() { changes.save(article) }
        }
        #expect(try await library.articles.all() == articles)
        #expect(try await library.articles.page(2) == Array(articles[20..<40]))
        #expect(try await library.articles.page(3) == Array(articles[40...]))
        #expect(try await library.articles.limited(to: 1, after: 3).all() == [articles[3]])
        #expect(try await library.articles.page(4).isEmpty)
        #expect(try await library.articles(["a7", "none", "a44", "a3"]) == [7, 44, 3].map { articles[$0] })
        #expect(try await library.articles(["none"]).isEmpty)
    }

    @Test("a page shows articles and their assets as they are at one moment, whatever is written meanwhile")
    func oneMoment() async throws {
        let library = library
        let rounds = 300
        @Sendable func article(_ id: Article.ID, _ round: Int) -> Article {
            Article(id: id, title: "\(round)", assetIDs: [Asset.ID("m\(round)")])
        }
        try await library.apply { $0.save([article("a1", 0), article("a2", 0)]) }
        try await withThrowingTaskGroup { group in
            group.addTask {
                for round in 1...rounds {
                    try await library.apply { $0.save([article("a1", round), article("a2", round)]) }
                }
            }
            group.addTask {
                var last = ""
                while last != "\(rounds)" {
                    let page = try await library.articles.limited(to: 20).all()
                    last = try #require(page.first?.title)
                    #expect(page.map(\.title) == [last, last])
                    #expect(page.map(\.assetIDs) == [["m\(last)"], ["m\(last)"]] as [[Asset.ID]])
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }
}
