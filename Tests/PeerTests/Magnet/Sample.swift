import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

/// A sample payload, read without the code under test: with Foundation's own parser.
struct Sample {
    private let members: [String: Any]

    /// The objects of a file, whose one data member is the collection.
    static func objects(_ name: String, in collection: String) throws -> [Sample] {
        let data = try Data(contentsOf: MagnetNginx.samples.appending(path: name))
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(file[collection] as? [[String: Any]]).map(Sample.init(members:))
    }

    /// The strings of a file that is an array of them.
    static func strings(_ name: String) throws -> [String] {
        let data = try Data(contentsOf: MagnetNginx.samples.appending(path: name))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String])
    }

    func text(_ key: String) -> String { members[key] as? String ?? "" }

    func strings(_ key: String) -> [String] { members[key] as? [String] ?? [] }

    func ids(_ key: String) -> [String] { samples(key).map { $0.text("id") } }

    func samples(_ key: String) -> [Sample] {
        (members[key] as? [[String: Any]] ?? []).map(Sample.init(members:))
    }

    func flag(_ key: String) -> Bool { (members[key] as? NSNumber)?.boolValue ?? false }

    func number(_ key: String) -> Int? { (members[key] as? NSNumber)?.intValue }

    func url(_ key: String) -> URL? { URL(string: text(key)) }

    /// The member that is an object; an empty one if there is none.
    func member(_ key: String) -> Sample { Sample(members: members[key] as? [String: Any] ?? [:]) }

    /// The member as JSON with its members sorted.
    func json(_ key: String) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: members[key] ?? [:],
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self)
    }

    /// Whether a date is what stands under a key, to the microsecond the samples are written with.
    func has(_ date: Date?, under key: String) throws -> Bool {
        let text = text(key)
        guard !text.isEmpty else { return date == nil }
        let whole = try Date(text.replacing(/\.[0-9]+/, with: ""), strategy: .iso8601)
        let fraction = text.firstMatch(of: /\.[0-9]+/).flatMap { Double("0\($0.output)") } ?? 0
        return date.map { abs($0.timeIntervalSince(whole) - fraction) < 0.000_002 } ?? false
    }
}

/// Records an issue for each field of a volume that is not as in the sample.
func expect(_ volume: Volume, is sample: Sample) throws {
    #expect(volume.id.rawValue == sample.text("id"))
    #expect(volume.title == sample.text("title"))
    #expect(volume.subtitle == sample.text("subtitle"))
    #expect(volume.summary == sample.text("description"))
    #expect(volume.coverID?.rawValue ?? "" == sample.text("featuredImage"))
    #expect(volume.keywords == sample.strings("keywords"))
    #expect(try volume.customMetadata.text == sample.json("customMeta"))
    #expect(volume.assetIDs.map(\.rawValue) == sample.ids("media"))
    #expect(volume.issueIDs.map(\.rawValue) == sample.ids("issues"))
    let meta = sample.member("meta")
    #expect(volume.releaseDate == meta.text("releaseDate"))
    #expect(try meta.has(volume.publishedDate, under: "publishedDate"))
    #expect(volume.isPublished == meta.flag("published"))
    #expect(volume.publisher == meta.text("publishedBy"))
}

/// Records an issue for each field of an issue that is not as in the sample.
func expect(_ issue: MastheadPublishing.Issue, is sample: Sample) throws {
    #expect(issue.id.rawValue == sample.text("id"))
    #expect(issue.sku?.rawValue ?? "" == sample.text("sku"))
    #expect(issue.title == sample.text("title"))
    #expect(issue.summary == sample.text("description"))
    #expect(issue.coverPhoneID?.rawValue ?? "" == sample.text("coverPhone"))
    #expect(issue.coverTabletID?.rawValue ?? "" == sample.text("coverTablet"))
    #expect(issue.coverTabletLandscapeID?.rawValue ?? "" == sample.text("coverTabletLandscape"))
    #expect(issue.articleIDs.map(\.rawValue) == sample.ids("articles"))
    for (stub, expected) in zip(issue.articles, sample.samples("articles")) {
        #expect(try expected.member("updated").has(stub.updated, under: "date"))
    }
    #expect(issue.assetIDs.map(\.rawValue) == sample.ids("media"))
    #expect(issue.volumeIDs.map(\.rawValue) == sample.ids("volumes"))
    #expect(try issue.customMetadata.text == sample.json("customMeta"))
    let meta = sample.member("meta")
    #expect(try meta.has(issue.created, under: "created"))
    #expect(try meta.has(issue.publishedDate, under: "publishedDate"))
    #expect(try meta.member("updated").has(issue.updated, under: "date"))
    #expect(issue.isPublished == meta.flag("published"))
    #expect(issue.displayDate == meta.text("displayDate"))
}

/// Records an issue for each field of an article that is not as in the sample.
func expect(_ article: Article, is sample: Sample) throws {
    #expect(article.id.rawValue == sample.text("id"))
    #expect(article.sku?.rawValue ?? "" == sample.text("sku"))
    #expect(article.title == sample.text("title"))
    #expect(article.slug == sample.text("slug"))
    #expect(article.summary == sample.text("description"))
    #expect(article.body == sample.text("body"))
    #expect(article.authorName == sample.text("authorName"))
    #expect(article.authorURL == sample.url("authorUrl"))
    #expect(article.authorBio == sample.text("authorBio"))
    #expect(article.sharingURL == sample.url("sharingUrl"))
    #expect(article.section == sample.text("section"))
    #expect(article.type == sample.text("type"))
    #expect(article.commentary == sample.text("commentary"))
    #expect(article.keywords == sample.strings("keywords"))
    #expect(article.assetIDs.map(\.rawValue) == sample.ids("media"))
    #expect(try article.customMetadata.text == sample.json("customMeta"))
    let meta = sample.member("meta")
    #expect(article.isFeatured == meta.flag("featured"))
    #expect(article.isPublished == meta.flag("published"))
    #expect(try meta.has(article.publishedDate, under: "publishedDate"))
    #expect(try meta.member("updated").has(article.updated, under: "date"))
}

/// Records an issue for each field of an asset that is not as in the sample.
func expect(_ asset: Asset, is sample: Sample) throws {
    #expect(asset.id.rawValue == sample.text("id"))
    #expect(asset.caption == sample.text("caption"))
    #expect(asset.cdnURL == sample.url("cdnUrl"))
    #expect(asset.url == sample.url("url"))
    #expect(asset.cdnThumbnailURL == sample.url("cdnUrlThumb"))
    #expect(asset.thumbnailURL == sample.url("urlThumb"))
    #expect(try asset.customMetadata.text == sample.json("customMeta"))
    let meta = sample.member("meta")
    #expect(asset.kind.rawValue == meta.text("type"))
    #expect(asset.width == meta.number("width"))
    #expect(asset.height == meta.number("height"))
    #expect(try meta.member("updated").has(asset.updated, under: "date"))
}
