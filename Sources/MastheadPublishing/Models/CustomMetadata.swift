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
public struct CustomMetadata: Sendable {
    private enum Form: Sendable {
        /// Members, and the text that they were read from if one came.
        case read([String: JSONValue], verbatim: String?)
        /// What was stored, not read yet: many are kept, and few looked at.
        case stored(String, isText: Bool)
    }

    private let form: Form

    /// Makes metadata of members.
    public init(_ members: [String: JSONValue] = [:]) {
        form = .read(members, verbatim: nil)
    }

    /// Makes metadata of a text, JSON or not.
    public init(text: String) {
        form = .read(Self.members(of: text), verbatim: text)
    }

    /// Takes what ``text`` was when it was stored, and whether it came as a text.
    init(stored text: String, isText: Bool) {
        form = .stored(text, isText: isText)
    }

    private static func members(of text: String) -> [String: JSONValue] {
        (try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))) ?? [:]
    }

    /// The members; empty for a text that is no JSON object.
    ///
    /// Of what comes from a library they are read from its text each time: keep them where several are wanted.
    public var members: [String: JSONValue] {
        switch form {
        case .read(let members, _): members
        case .stored(let text, true): Self.members(of: text)
        case .stored(let text, false): (try? JSONText(Data(text.utf8)).value())?.objectValue ?? [:]
        }
    }

    /// The text as it came; `nil` if an object came.
    private var verbatim: String? {
        switch form {
        case .read(_, let verbatim): verbatim
        case .stored(let text, let isText): isText ? text : nil
        }
    }

    /// Whether it came as a text.
    var isVerbatim: Bool { verbatim != nil }

    /// Whether there is nothing: no member and no text.
    public var isEmpty: Bool { members.isEmpty && (verbatim ?? "").isEmpty }

    /// The member of that name, `nil` if there is none.
    public subscript(key: String) -> JSONValue? { members[key] }

    /// The text as it came, or the object as compact JSON with its members sorted by name.
    public var text: String {
        if case .stored(let text, _) = form { return text }
        if let verbatim { return verbatim }
        // Only a number that is no JSON, such as infinity, does not encode, and none comes from the wire.
        guard let bytes = try? JSONValue.object(members).encodedBytes() else { return "{}" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CustomMetadata: Hashable {
    /// Whether they say the same, and came in the same form.
    public static func == (left: Self, right: Self) -> Bool {
        if case .stored(let text, let isText) = left.form, case .stored(text, isText) = right.form { return true }
        return left.verbatim == right.verbatim && left.members == right.members
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(verbatim)
        hasher.combine(members)
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
