import MastheadNetworking
import Testing

/// A field of a model on the wire: where it stands, and a value of a type that no server sends there.
struct ModelField: Sendable, CustomTestStringConvertible {
    let collection: String
    let path: [String]
    let wrong: JSONValue

    var testDescription: String { "\(collection): \(codingPath)" }

    /// The path as a decoding failure names it, from the field's object on.
    var codingPath: String {
        path.reduce("") { text, key in
            Int(key) != nil ? "\(text)[\(key)]" : text.isEmpty ? key : "\(text).\(key)"
        }
    }

    var object: JSONValue {
        switch collection {
        case "volumes": Wire.volume
        case "issues": Wire.issue
        case "articles": Wire.article
        default: Wire.asset
        }
    }

    private init(_ collection: String, _ path: String, wrong: JSONValue) {
        self.collection = collection
        self.path = path.split(separator: ".").map(String.init)
        self.wrong = wrong
    }

    private static func fields(_ collection: String, _ wrong: JSONValue, _ paths: String...) -> [ModelField] {
        paths.map { ModelField(collection, $0, wrong: wrong) }
    }

    /// Every field of every model.
    static let all: [ModelField] = volumes + issues + articles + assets

    private static let volumes = [
        fields("volumes", ["id": "v1"], "id", "featuredImage"),
        fields("volumes", 7, "sku", "title", "subtitle", "description", "meta.releaseDate", "meta.publishedDate"),
        fields("volumes", 7, "keywords", "media", "issues", "meta", "meta.publishedBy"),
        fields("volumes", "v1", "media", "issues", "meta", "media.0", "issues.1"),
        fields("volumes", [7], "customMeta", "keywords.0"),
        fields("volumes", "yes", "meta.published", "meta.publishedDate"),
        fields("volumes", false, "media.1.id", "issues.0.id"),
    ].flatMap(\.self)

    private static let issues = [
        fields("issues", ["id": "i1"], "id", "coverPhone", "coverTablet", "coverTabletLandscape"),
        fields("issues", 7, "sku", "title", "description", "meta.displayDate", "meta.created", "meta.publishedDate"),
        fields("issues", 7, "meta.updated", "meta.updated.date", "articles.0.updated", "articles.0.updated.date"),
        fields("issues", "i1", "articles", "media", "volumes", "meta", "articles.1", "media.0", "volumes.0"),
        fields("issues", true, "customMeta", "articles.1.id", "media.0.id", "volumes.0.id"),
        fields("issues", "soon", "meta.created", "meta.publishedDate", "meta.updated.date", "articles.0.updated.date"),
        fields("issues", 2, "meta.published"),
    ].flatMap(\.self)

    private static let articles = [
        fields("articles", ["id": "a1"], "id"),
        fields("articles", 7, "sku", "title", "slug", "description", "body", "authorName", "authorUrl", "authorBio"),
        fields("articles", 7, "sharingUrl", "section", "type", "commentary", "keywords", "media", "customMeta", "meta"),
        fields("articles", ["x": 7], "meta.featured", "meta.published", "meta.publishedDate", "media.0.id"),
        fields("articles", "soon", "meta.publishedDate", "meta.updated", "meta.updated.date", "meta.featured"),
    ].flatMap(\.self)

    private static let assets = [
        fields("media", ["id": "m1"], "id"),
        fields("media", 7, "caption", "cdnUrl", "url", "cdnUrlThumb", "urlThumb", "customMeta", "meta", "meta.type"),
        fields("media", "7", "meta.width", "meta.height", "meta.updated", "meta.updated.date"),
        fields("media", 1e300, "meta.width", "meta.height"),
    ].flatMap(\.self)
}
