import FoundationEssentials
import MastheadNetworking
import MastheadPublishing

/// The catalogue that is synced: 20 volumes of 10 issues of 30 articles, each of which shows two assets of its own.
enum SyncCorpus {
    static let articles = 6000
    static let issues = 200
    static let volumes = 20

    /// The number within an id.
    static func number(of id: String) -> Int { Int(id.suffix(6)) ?? 0 }

    /// All volumes.
    static var allVolumes: [Volume] {
        (0..<volumes).map { number in
            Volume(
                id: Volume.ID(id("64d0c0ffee00000000", number)),
                title: "Volume \(number)",
                issueIDs: (number * 10..<number * 10 + 10).map { Issue.ID(id("64b0c0ffee00000000", $0)) },
                publishedDate: date,
                isPublished: true,
                publisher: "Tidewater Press"
            )
        }
    }

    /// An issue, which has the asset of a number past those of all articles.
    static func issue(_ number: Int) -> Issue {
        let cover = Asset.ID(id("64c0c0ffee00000000", articles * 2 + number))
        return Issue(
            id: Issue.ID(id("64b0c0ffee00000000", number)),
            sku: SKU("org.example.tidewater.issue.\(number)"),
            title: "Issue \(number)",
            coverPhoneID: cover,
            articles: (number * 30..<number * 30 + 30).map { article in
                Article.Stub(id: Article.ID(Corpus.articleID(article)), updated: date)
            },
            assetIDs: [cover],
            publishedDate: date,
            updated: date,
            isPublished: true,
            displayDate: "January 2026"
        )
    }

    /// An article, with two assets of its own.
    static func article(_ number: Int) -> Article {
        var article = Corpus.article(number)
        article.assetIDs = [number * 2, number * 2 + 1].map { Asset.ID(id("64c0c0ffee00000000", $0)) }
        article.updated = date
        return article
    }

    /// An asset.
    static func asset(_ number: Int) -> Asset {
        let name = id("64c0c0ffee00000000", number)
        return Asset(
            id: Asset.ID(name),
            caption: "Picture \(number) of the Corran",
            kind: .image,
            cdnURL: URL(string: "https://cdn.example.org/m/\(name).jpg"),
            cdnThumbnailURL: URL(string: "https://cdn.example.org/t/\(name).jpg"),
            width: 1600,
            height: 1200,
            updated: date
        )
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 790_000_000)

    private static func id(_ prefix: String, _ number: Int) -> String {
        let digits = "\(number)"
        return prefix + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    }
}
