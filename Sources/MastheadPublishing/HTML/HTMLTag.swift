/// A tag: its name in small letters, and its attributes as they are written.
struct HTMLTag: Sendable, Hashable {
    struct Attribute: Sendable, Hashable {
        let name: String
        let value: String
    }

    let name: String
    let isClosing: Bool
    var attributes: [Attribute] = []

    /// Elements that part no word.
    static let inline: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "ins",
        "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
        "var", "wbr",
    ]

    /// Elements whose content is no text for readers.
    static let raw: Set<String> = [
        "script", "style", "template", "noscript", "iframe", "object", "svg", "math", "head",
    ]

    // MARK: Names as numbers

    // Looking through a few numbers costs less than hashing one.
    private static let inlineKeys = inline.map { key(of: $0.utf8) }
    private static let rawNames = raw.map { (key: key(of: $0.utf8), name: $0) }

    /// Whether the element of a key parts no word.
    static func isInline(_ key: UInt64) -> Bool { inlineKeys.contains(key) }

    /// The name of the element of a key, if its content is no text for readers.
    static func raw(_ key: UInt64) -> String? { rawNames.first { $0.key == key }?.name }

    /// The bytes of a name in small letters, in one number; 0 for one longer than eight, which none is that is known here.
    static func key(of name: some Collection<UInt8>) -> UInt64 {
        guard name.count <= 8 else { return 0 }
        return name.reduce(0) { $0 << 8 | UInt64((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
    }
}
