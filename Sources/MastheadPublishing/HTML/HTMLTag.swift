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
}
