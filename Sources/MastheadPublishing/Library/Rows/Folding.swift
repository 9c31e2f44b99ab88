import FoundationEssentials

/// What words have in common that differ only in case and in diacritics.
///
/// It needs no locale, so that a word found on one device is found on every other.
enum Folding {
    /// The text in one case and without diacritics, without what is white at its ends.
    static func folded(_ text: String) -> String {
        if isFolded(text) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            guard byte < 0x80 else { return thorough(text) }
            bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        return trimmed(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether it is sure to be folded already: in ASCII, as most keywords are, and nothing to change about it.
    private static func isFolded(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            return first > 0x20 && last > 0x20 && bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        }
    }

    private static func thorough(_ text: String) -> String {
        var folded = ""
        for scalar in text.unicodeScalars where !isDiacritic(scalar) {
            folded += letters[scalar] ?? scalar.properties.uppercaseMapping.lowercased()
        }
        return trimmed(folded)
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// Whether it is a mark above, below or through a letter, and not a sign that makes another letter of it as in Indic
    /// scripts.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x2FF, scalar.properties.generalCategory == .nonspacingMark else { return false }
        let place = scalar.properties.canonicalCombiningClass.rawValue
        return place == 1 || place >= 200 || (27...35).contains(place)
    }

    /// The letters of alphabets with precomposed forms, each with the letter that it is without its diacritics.
    ///
    /// Unicode's names say it: LATIN SMALL LETTER O WITH STROKE is LATIN SMALL LETTER O with something.
    private static let letters: [Unicode.Scalar: String] = {
        let ranges: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
        var plain: [String: Unicode.Scalar] = [:]
        for value in Array(0x41...0x7A) + Array(0x370...0x52F) {
            guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
            plain[name] = scalar
        }
        var letters: [Unicode.Scalar: String] = [:]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name,
                let end = name.firstRange(of: " WITH "), let letter = plain[String(name[..<end.lowerBound])]
            else { continue }
            letters[scalar] = letter.properties.uppercaseMapping.lowercased()
        }
        // Those that have a name of their own, and fall apart into a letter and a mark all the same.
        for (whole, letter) in ["й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к", "ѐ": "е", "ѝ": "и"] {
            for form in [whole, whole.uppercased()] {
                if let scalar = form.unicodeScalars.first { letters[scalar] = letter }
            }
        }
        return letters
    }()
}
