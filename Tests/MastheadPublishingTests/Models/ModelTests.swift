import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

struct ModelTests {
    private func decode<Model: Decodable>(_ value: JSONValue) throws -> Model {
        try JSONDecoder().decode(Model.self, from: Wire.data(value))
    }

    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test("reads every field of a volume")
    func volume() throws {
        let volume: Volume = try decode(Wire.volume)

        #expect(
            volume
                == Volume(
                    id: "v1",
                    sku: "org.example.volume.1",
                    title: "Lantern, Year Two",
                    subtitle: "Autumn to summer",
                    summary: "<p>Twelve issues.</p>",
                    coverID: "m1",
                    keywords: ["light", "coast"],
                    customMetadata: ["accent": "#aa3300", "columns": 2],
                    assetIDs: ["m1", "m2"],
                    issueIDs: ["i1", "i2"],
                    releaseDate: "Autumn 2025",
                    publishedDate: date(1_756_706_400),
                    isPublished: true,
                    publisher: "Lantern House"
                )
        )
    }

    @Test("reads every field of an issue, with its articles in order")
    func issue() throws {
        let issue: Issue = try decode(Wire.issue)

        #expect(
            issue
                == Issue(
                    id: "i1",
                    sku: "org.example.issue.1",
                    title: "First Light",
                    summary: "The opening issue.",
                    coverPhoneID: "m1",
                    coverTabletID: "m2",
                    coverTabletLandscapeID: "m3",
                    articles: [
                        Article.Stub(id: "a1", updated: date(1_756_808_130.059998)), Article.Stub(id: "a2"),
                    ],
                    assetIDs: ["m1"],
                    volumeIDs: ["v1"],
                    customMetadata: CustomMetadata(text: "shelf 4"),
                    created: date(1_756_574_400.123456),
                    publishedDate: date(1_756_713_600),
                    updated: date(1_756_808_160.000001),
                    isPublished: true,
                    displayDate: "September 2025"
                )
        )
        #expect(issue.placement(of: "a2") == 2)
        #expect(issue.placement(of: "a9") == nil)
        #expect(issue.date == issue.publishedDate)
    }

    @Test("reads every field of an article")
    func article() throws {
        let article: Article = try decode(Wire.article)

        #expect(
            article
                == Article(
                    id: "a1",
                    sku: "org.example.article.1",
                    title: "The Keeper",
                    slug: "the-keeper",
                    summary: "A portrait.",
                    body: "<p>One.</p>",
                    authorName: "M. Dahl",
                    authorURL: URL(string: "https://example.org/dahl"),
                    authorBio: "Writes about light.",
                    sharingURL: URL(string: "https://example.org/keeper"),
                    section: "Profiles",
                    type: "feature",
                    commentary: "Read it.",
                    keywords: ["towers"],
                    assetIDs: ["m2", "m1"],
                    customMetadata: ["readingMinutes": 7],
                    isFeatured: true,
                    isPublished: true,
                    publishedDate: date(1_756_715_400),
                    updated: date(1_756_808_130.059998)
                )
        )
    }

    @Test("reads every field of an asset")
    func asset() throws {
        let asset: Asset = try decode(Wire.asset)

        #expect(
            asset
                == Asset(
                    id: "m1",
                    caption: "The lamp",
                    kind: .image,
                    cdnURL: URL(string: "https://cdn.example.org/m/lamp.jpg"),
                    url: URL(string: "https://origin.example.org/m/lamp.jpg"),
                    cdnThumbnailURL: URL(string: "https://cdn.example.org/t/lamp.jpg"),
                    thumbnailURL: URL(string: "https://origin.example.org/t/lamp.jpg"),
                    width: 1600,
                    height: 1200,
                    updated: date(1_756_712_712.5)
                )
        )
    }

    @Test("comes back the same from its own wire form")
    func roundTrips() throws {
        func roundTrip<Model: Codable & Equatable>(_ model: Model) throws {
            #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model)
        }
        try roundTrip(decode(Wire.volume) as Volume)
        try roundTrip(decode(Wire.issue) as Issue)
        try roundTrip(decode(Wire.article) as Article)
        try roundTrip(decode(Wire.asset) as Asset)
        try roundTrip(Volume(id: "v"))
        try roundTrip(Issue(id: "i"))
        try roundTrip(Article(id: "a"))
        try roundTrip(Asset(id: "m", kind: .other("map")))
        try roundTrip(Asset(id: "m", kind: .sound))
    }

    @Test("writes what older readers insist on, whatever is unknown")
    func writesNeededKeys() throws {
        func members<Model: Encodable>(_ model: Model) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(model))
        }
        func expect(_ value: JSONValue, _ needed: [JSONValue: [JSONPointer]]) {
            for (expected, pointers) in needed {
                for pointer in pointers { #expect(value.value(at: pointer) == expected, "\(pointer)") }
            }
        }
        try expect(
            members(Volume(id: "v")),
            [
                "": [
                    "/title", "/subtitle", "/description", "/featuredImage", "/meta/releaseDate", "/meta/publishedBy",
                ],
                []: ["/keywords", "/media", "/issues"],
            ]
        )
        try expect(
            members(Issue(id: "i")),
            [
                "": ["/title", "/description", "/sku", "/coverPhone", "/meta/displayDate"],
                []: ["/articles", "/media"],
                false: ["/meta/published"],
                [:]: ["/meta/updated"],
            ]
        )
        try expect(
            members(Article(id: "a")),
            [
                "": [
                    "/title", "/body", "/description", "/slug", "/section", "/type", "/commentary", "/authorName",
                    "/authorUrl", "/authorBio", "/sharingUrl", "/meta/publishedDate",
                ],
                []: ["/keywords", "/media"],
                false: ["/meta/featured"],
            ]
        )
        try expect(
            members(Asset(id: "m")),
            ["": ["/caption", "/cdnUrl", "/url", "/cdnUrlThumb", "/urlThumb", "/meta/type"]]
        )
    }
}
