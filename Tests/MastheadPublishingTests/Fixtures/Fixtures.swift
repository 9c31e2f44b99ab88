import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting

// Both Swift Testing and the product have an `Issue`; here it is the product's.
typealias Issue = MastheadPublishing.Issue

extension ScriptedServer {
    /// A configuration that leads to this server, with a client key.
    func catalogue(_ configure: (inout NetworkingConfiguration) -> Void = { _ in }) -> NetworkingConfiguration {
        configuration {
            $0.clientKey = "k3y"
            configure(&$0)
        }
    }
}

/// Answers every request with the same bytes, without a network.
struct FixedAnswer: RequestExecutor {
    let status: Int
    let body: Data

    init(_ body: String, status: Int = 200) {
        self.init(Data(body.utf8), status: status)
    }

    init(_ body: Data, status: Int = 200) {
        self.status = status
        self.body = body
    }

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: body, url: request.url)
    }
}

/// A volume, an issue, an article and an asset with every field of the protocol, as the wire has them.
enum Wire {
    static let volume: JSONValue = [
        "id": "v1", "sku": "org.example.volume.1", "title": "Lantern, Year Two", "subtitle": "Autumn to summer",
        "description": "<p>Twelve issues.</p>", "featuredImage": "m1", "keywords": ["light", "coast"],
        "customMeta": ["accent": "#aa3300", "columns": 2], "media": [["id": "m1"], ["id": "m2"]],
        "issues": [["id": "i1"], ["id": "i2"]],
        "meta": [
            "releaseDate": "Autumn 2025", "publishedDate": "2025-09-01T08:00:00+02:00", "published": true,
            "publishedBy": "Lantern House",
        ],
    ]

    static let issue: JSONValue = [
        "id": "i1", "sku": "org.example.issue.1", "title": "First Light", "description": "The opening issue.",
        "coverPhone": "m1", "coverTablet": "m2", "coverTabletLandscape": "m3", "customMeta": "shelf 4",
        "articles": [["id": "a1", "updated": ["date": "2025-09-02T10:15:30.059998+00:00"]], ["id": "a2"]],
        "media": [["id": "m1"]], "volumes": [["id": "v1"]],
        "meta": [
            "created": "2025-08-30T17:20:00.123456Z", "publishedDate": "2025-09-01T08:00:00+00:00",
            "updated": ["date": "2025-09-02T10:16:00.000001+00:00"], "published": 1, "displayDate": "September 2025",
        ],
    ]

    static let article: JSONValue = [
        "id": "a1", "sku": "org.example.article.1", "title": "The Keeper", "slug": "the-keeper",
        "description": "A portrait.", "body": "<p>One.</p>", "authorName": "M. Dahl",
        "authorUrl": "https://example.org/dahl", "authorBio": "Writes about light.",
        "sharingUrl": "https://example.org/keeper", "section": "Profiles", "type": "feature", "commentary": "Read it.",
        "keywords": ["towers"], "media": [["id": "m2"], ["id": "m1"]], "customMeta": ["readingMinutes": 7],
        "meta": [
            "featured": 1, "published": true, "publishedDate": "2025-09-01T08:30:00+00:00",
            "updated": ["date": "2025-09-02T10:15:30.059998+00:00"],
        ],
    ]

    static let asset: JSONValue = [
        "id": "m1", "caption": "The lamp", "cdnUrl": "https://cdn.example.org/m/lamp.jpg",
        "url": "https://origin.example.org/m/lamp.jpg", "cdnUrlThumb": "https://cdn.example.org/t/lamp.jpg",
        "urlThumb": "https://origin.example.org/t/lamp.jpg", "customMeta": [:],
        "meta": [
            "type": "image", "width": 1600, "height": 1200,
            "updated": ["date": "2025-09-01T07:45:12.500000+00:00"],
        ],
    ]

    /// A value as bytes.
    static func data(_ value: JSONValue) throws -> Data {
        try JSONEncoder().encode(value)
    }

    /// A catalogue answer around some objects.
    static func envelope(_ collection: String, _ elements: JSONValue...) throws -> Data {
        try data([collection: .array(elements)])
    }
}

extension JSONValue {
    /// The value with another at a path of member names and element numbers; `nil` takes the member away.
    func replacing(_ path: [String], with value: JSONValue?) -> JSONValue {
        guard let key = path.first else { return value ?? .null }
        let rest = Array(path.dropFirst())
        switch self {
        case .object(var members):
            members[key] = rest.isEmpty ? value : members[key]?.replacing(rest, with: value)
            return .object(members)
        case .array(var elements):
            guard let index = Int(key), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].replacing(rest, with: value)
            return .array(elements)
        default: return self
        }
    }
}
