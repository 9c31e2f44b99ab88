/// What the index puts around what it found: characters that stand in no text that is indexed.
enum SearchMark {
    static let start: Unicode.Scalar = "\u{E000}"
    static let end: Unicode.Scalar = "\u{E001}"

    static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == start || scalar == end }

    /// The UTF-8 without them.
    static func removed(from text: [UInt8]) -> [UInt8] {
        // Both begin with this byte, which hardly any other text has.
        guard text.hasByte(0xEE) else { return text }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        return Array(String(String.UnicodeScalarView(scalars.filter { !isMark($0) })).utf8)
    }
}
