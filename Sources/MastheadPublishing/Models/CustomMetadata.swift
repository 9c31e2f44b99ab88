import FoundationEssentials
public import MastheadNetworking

/// What a publisher says about an object beyond the fixed fields: the wire's `customMeta`.
///
/// It comes as a JSON object or as a text. The members of an object, and of a text that is a JSON object itself, are
/// read one at a time; a text stays as it came, letter by letter.
///
/// ```swift
/// let accent = volume.customMetadata["accent"]?.stringValue       // "#0a5c7a"
/// let opaque = CustomMetadata(text: "shelf 4")
/// ```
///
/// Members live in a space of their own: one that is called `title` hides nothing and is hidden by nothing.
public struct CustomMetadata: Sendable, Hashable {
    /// The members; empty for a text that is no JSON object.
    public let members: [String: JSONValue]

    /// The text as it came; `nil` if an object came.
    private let verbatim: String?

    /// Makes metadata of members.
    public init(_ members: [String: JSONValue] = [:]) {
        self.members = members
        verbatim = nil
    }

    /// Makes metadata of a text, JSON or not.
    public init(text: String) {
        members = (try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))) ?? [:]
        verbatim = text
    }

    /// Whether it came as a text.
    var isVerbatim: Bool { verbatim != nil }

    /// Whether there is nothing: no member and no text.
    public var isEmpty: Bool { members.isEmpty && (verbatim ?? "").isEmpty }

    /// The member of that name, `nil` if there is none.
    public subscript(key: String) -> JSONValue? { members[key] }

    /// The text as it came, or the object as compact JSON with its members sorted by name.
    public var text: String {
        if let verbatim { return verbatim }
        // Only a number that is no JSON, such as infinity, does not encode, and none comes from the wire.
        guard let data = try? JSONValue.object(members).encoded() else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension CustomMetadata: ExpressibleByDictionaryLiteral {
    /// Makes metadata of members; of two with one name, the first stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(Dictionary(elements) { first, _ in first })
    }
}

extension CustomMetadata: Codable {
    /// Reads an object or a string.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text: text)
        } else {
            self.init(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes an object or a string, whichever it was made of.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let verbatim {
            try container.encode(verbatim)
        } else {
            try container.encode(members)
        }
    }
}
