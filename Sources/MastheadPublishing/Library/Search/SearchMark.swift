/// What the index puts around what it found: characters that stand in no text that is indexed.
enum SearchMark {
    static let start: Unicode.Scalar = "\u{E000}"
    static let end: Unicode.Scalar = "\u{E001}"

    static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == start || scalar == end }

    /// The text without them.
    static func removed(from text: String) -> String {
        guard text.unicodeScalars.contains(where: isMark) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isMark($0) }))
    }
}
