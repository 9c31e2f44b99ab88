import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

/// The forms that one field may have on the wire.
struct WireFormTests {
    private func volume(_ path: [String], _ value: JSONValue) throws -> Volume {
        try JSONDecoder().decode(Volume.self, from: Wire.data(Wire.volume.replacing(path, with: value)))
    }

    private func asset(_ path: [String], _ value: JSONValue?) throws -> Asset {
        try JSONDecoder().decode(Asset.self, from: Wire.data(Wire.asset.replacing(path, with: value)))
    }

    @Test(
        "reads an id from a string or a whole number",
        arguments: [("7", "7"), (7, "7"), (-1, "-1")] as [(JSONValue, String)]
    )
    func ids(value: JSONValue, expected: String) throws {
        #expect(try volume(["id"], value).id.rawValue == expected)
        #expect(try volume(["featuredImage"], value).coverID?.rawValue == expected)
    }

    @Test("reads an empty id of a picture as none")
    func emptyID() throws {
        #expect(try volume(["featuredImage"], "").coverID == nil)
    }

    @Test("reads an empty SKU as none")
    func emptySKU() throws {
        #expect(try volume(["sku"], "").sku == nil)
    }

    @Test(
        "reads booleans and their numbers",
        arguments: [(true, true), (false, false), (1, true), (0, false)] as [(JSONValue, Bool)]
    )
    func booleans(value: JSONValue, expected: Bool) throws {
        #expect(try volume(["meta", "published"], value).isPublished == expected)
    }

    @Test(
        "reads dates in all their forms",
        arguments: [
            ("2015-08-11T00:58:11.059998+00:00", 1_439_254_691.059998),
            ("2015-08-11T00:20:07+00:00", 1_439_252_407),
            ("2015-08-11T02:20:07+02:00", 1_439_252_407),
            ("2015-08-11T00:20:07Z", 1_439_252_407),
            ("2015-08-11T00:20:07.250Z", 1_439_252_407.25),
            ("2015-08-11T02:20:07+0200", 1_439_252_407),
        ]
    )
    func dates(text: String, expected: Double) throws {
        let date = try volume(["meta", "publishedDate"], .string(text)).publishedDate
        #expect(try abs(#require(date).timeIntervalSince1970 - expected) < 0.000_000_5)
    }

    @Test("reads an empty date as none")
    func emptyDate() throws {
        #expect(try volume(["meta", "publishedDate"], "").publishedDate == nil)
    }

    @Test("tells dates a microsecond apart")
    func microseconds() throws {
        let earlier = try volume(["meta", "publishedDate"], "2026-01-06T10:15:30.059998+00:00").publishedDate
        let later = try volume(["meta", "publishedDate"], "2026-01-06T10:15:30.059999+00:00").publishedDate
        #expect(try #require(earlier) < #require(later))
    }

    @Test("leaves display dates as they are")
    func displayDates() throws {
        #expect(try volume(["meta", "releaseDate"], "some day").releaseDate == "some day")
    }

    @Test("reads keywords from an array, also of numbers, and from a text with commas")
    func keywords() throws {
        #expect(try volume(["keywords"], ["a", 7, 1.5]).keywords == ["a", "7", "1.5"])
        #expect(try volume(["keywords"], "sea,  light house ,,").keywords == ["sea", "light house"])
        #expect(try volume(["keywords"], "").keywords == [])
    }

    @Test("reads custom metadata from an object")
    func metadataObject() throws {
        let metadata = try volume(["customMeta"], ["b": [1, .null], "a": "x/y"]).customMetadata
        #expect(metadata["a"] == "x/y")
        #expect(metadata["title"] == nil)
        #expect(metadata.text == #"{"a":"x/y","b":[1,null]}"#)
    }

    @Test("keeps custom metadata that is a text letter by letter")
    func metadataText() throws {
        let opaque = try volume(["customMeta"], "shelf 4").customMetadata
        #expect(opaque.text == "shelf 4")
        #expect(opaque.members.isEmpty)
        #expect(!opaque.isEmpty)
        let json = try volume(["customMeta"], #"{ "accent" : "blue" }"#).customMetadata
        #expect(json.text == #"{ "accent" : "blue" }"#)
        #expect(json["accent"] == "blue")
    }

    @Test("reads historic names where today's are missing")
    func aliases() throws {
        let article = try JSONDecoder().decode(Article.self, from: Data(#"{"id":"a","headline":"Old"}"#.utf8))
        #expect(article.title == "Old")
        #expect(try asset(["caption"], nil).caption == "")
        let old = try JSONDecoder().decode(Asset.self, from: Data(#"{"id":"m","title":"Old"}"#.utf8))
        #expect(old.caption == "Old")
    }

    @Test(
        "reads the kind of an asset",
        arguments: [("image", .image), ("audio", .sound), ("sound", .sound), ("video", .video), ("map", .other("map"))]
            as [(String, Asset.Kind)]
    )
    func kinds(word: String, expected: Asset.Kind) throws {
        #expect(try asset(["meta", "type"], .string(word)).kind == expected)
    }

    @Test("prefers the distribution network's URLs and falls back where they are empty")
    func preferredURLs() throws {
        let full = try asset(["id"], "m")
        #expect(full.preferredURL?.host() == "cdn.example.org")
        #expect(full.preferredThumbnailURL?.host() == "cdn.example.org")
        #expect(try asset(["cdnUrl"], "").preferredURL?.host() == "origin.example.org")
        #expect(try asset(["cdnUrlThumb"], "").preferredThumbnailURL?.host() == "origin.example.org")
    }

    @Test(
        "takes what cannot be fetched for no URL",
        arguments: ["", "lamp.jpg", "//cdn/lamp.jpg", "file:///etc/passwd", "javascript:x", "http://", "http:///x"]
    )
    func unfetchableURLs(text: String) throws {
        #expect(try asset(["cdnUrl"], .string(text)).cdnURL == nil)
    }

    @Test("rounds sizes to whole pixels")
    func pixels() throws {
        #expect(try asset(["meta", "width"], 99.6).width == 100)
    }
}
