public import FoundationEssentials

/// An article as a publisher's list has it, for the scenarios that decode.
public struct Article: Codable, Sendable {
    /// What a server says about an article itself.
    public struct Meta: Codable, Sendable {
        /// When it was made.
        public var created: Date

        /// When it was published.
        public var publishedDate: Date

        /// Whether it is published.
        public var published: Bool

        /// Whether it stands on the cover.
        public var featured: Bool
    }

    /// The article's id.
    public var id: String

    /// The headline.
    public var title: String

    /// What stands below the headline.
    public var dek: String?

    /// Who wrote it.
    public var authorName: String?

    /// The place within its issue.
    public var placement: Int

    /// What it is about.
    public var keywords: [String]

    /// The text, as HTML.
    public var body: String

    /// What the server says about it.
    public var meta: Meta
}

/// A list of articles in its envelope.
public struct ArticleList: Codable, Sendable {
    /// The articles, in order.
    public var articles: [Article]

    /// A list of made-up articles, the same each time; about 610 bytes of JSON for each.
    public static func sample(count: Int) -> ArticleList {
        ArticleList(articles: (0..<count).map(article))
    }

    private static func article(_ number: Int) -> Article {
        let created = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 3600)
        let digits = "\(number)"
        return Article(
            id: "64a0c0ffee00000000" + String(repeating: "0", count: 6 - digits.count) + digits,
            title: "Tide table no. \(number)",
            dek: number.isMultiple(of: 3) ? nil : "What the harbour master wrote down on day \(number)",
            authorName: "Ada “Pilot” Lindqvist",
            placement: number,
            keywords: ["harbour", "essays", "tide \(number % 12)"],
            body: "<p>The water came in at six and went out at noon.</p>"
                + "<p>Nobody on the quay had counted the boats, but the log of the <em>Skärgård</em> lists forty of them, all of them under sail.</p>"
                + "<p>By evening the wind had turned, and \(number) gulls sat on the breakwater \u{2014} all facing west.</p>",
            meta: Article.Meta(
                created: created,
                publishedDate: created.addingTimeInterval(86_400),
                published: true,
                featured: number.isMultiple(of: 10)
            )
        )
    }
}

extension Article {
    /// A made-up article with a long text: about 3 KB of JSON, and as many bytes whatever the number below 100,000,000.
    public static func long(_ number: Int) -> Article {
        let digits = "\(number)"
        let padded = String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
        let created = Date(timeIntervalSince1970: 1_700_000_000)
        let paragraph =
            "<p>Nobody on the quay had counted the boats, but the log of the <em>Skärgård</em> lists forty of them, all "
            + "of them under sail; by evening the wind had turned, and \(padded) gulls sat on the breakwater.</p>"
        return Article(
            id: "64a0c0ffee000000" + padded,
            title: "Tide table no. \(padded)",
            dek: "What the harbour master wrote down on day \(padded)",
            authorName: "Ada “Pilot” Lindqvist",
            placement: 10_000_000 + number % 10_000_000,
            keywords: ["harbour", "essays", "tide"],
            body: String(repeating: paragraph, count: 12),
            meta: Article.Meta(
                created: created,
                publishedDate: created.addingTimeInterval(86_400),
                published: true,
                featured: true
            )
        )
    }
}
