import FoundationEssentials
import LibraryText
import MastheadNetworking
import MastheadPublishing

/// The made-up articles as values.
enum Corpus {
    /// The article of a number.
    static func article(_ number: Int) -> Article {
        guard let made = article_text_make(number) else { return Article(id: "none") }
        defer { article_text_free(made) }
        let text = made.pointee
        return Article(
            id: Article.ID(string(text.id)),
            sku: SKU(string(text.sku)),
            title: string(text.title),
            slug: string(text.slug),
            summary: string(text.summary),
            body: string(text.body),
            authorName: string(text.author_name),
            authorURL: URL(string: string(text.author_url)),
            authorBio: string(text.author_bio),
            sharingURL: URL(string: string(text.sharing_url)),
            section: string(text.section),
            type: string(text.type),
            commentary: string(text.commentary),
            keywords: [text.keywords.0, text.keywords.1, text.keywords.2].map(string),
            assetIDs: [text.assets.0, text.assets.1].map { Asset.ID(string($0)) },
            customMetadata: ["accent": "#0a5c7a", "readingMinutes": .int(Int64(number % 20 + 1))],
            isFeatured: false,
            isPublished: true,
            publishedDate: Date(timeIntervalSinceReferenceDate: text.date),
            updated: Date(timeIntervalSinceReferenceDate: text.updated)
        )
    }

    /// The assets that articles show.
    static var assets: [Asset] {
        (0..<library_assets).map { number in
            let caption = written(128) { asset_caption(number, $0) }
            return Asset(id: Asset.ID(written(25) { asset_id(number, $0) }), caption: caption)
        }
    }

    /// The id of an issue.
    static func issueID(_ number: Int) -> Issue.ID { Issue.ID(written(25) { issue_id(number, $0) }) }

    /// How many articles an issue holds.
    static var issueSize: Int { library_issue_size }

    /// An issue that holds articles that there are, in order.
    static func issue(_ number: Int) -> Issue {
        let first = number * issueSize
        let stubs = (first..<first + issueSize).map { Article.Stub(id: Article.ID(articleID($0))) }
        return Issue(id: issueID(number), title: "Issue \(number)", articles: stubs, isPublished: true)
    }

    /// The id of an article below 1,000,000.
    static func articleID(_ number: Int) -> String {
        let digits = "\(number)"
        return "64a0c0ffee00000000" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    }

    private static func string(_ text: UnsafeMutablePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    private static func written(_ room: Int, _ write: (UnsafeMutablePointer<CChar>) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            write(start)
            return String(cString: start)
        }
    }
}
