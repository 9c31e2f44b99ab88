/// Walks through the bytes of HTML, once and from front to back, whatever is wrong with it.
struct HTMLScanner {
    enum Markup {
        /// Not markup: a lone `<`.
        case none
        case tag(HTMLTag)
        /// A comment, a declaration or an instruction: where it stands.
        case other(Range<Int>)
    }

    let bytes: [UInt8]
    var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The byte to be looked at; `nil` at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Goes on to what may be more than words with single spaces between them.
    mutating func skipWords() {
        let start = index
        index = bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                // Nearly all that words are made of stands behind it.
                if byte <= 0x3C {
                    if byte == 0x20 {
                        // One at the start or at the end, or before another, is more.
                        guard index > start, index + 1 < bytes.count, !Self.endsWords(bytes[index + 1]) else { break }
                    } else if Self.endsWords(byte) {
                        break
                    }
                }
                index += 1
            }
            return index
        }
    }

    private static func endsWords(_ byte: UInt8) -> Bool {
        byte <= 0x3C && (byte == 0x3C || byte == 0x26 || isSpace(byte))
    }

    // MARK: Markup

    /// Takes what begins with the `<` here; nothing if that is no more than itself.
    ///
    /// What does not end goes to the end of all.
    mutating func takeMarkup(withAttributes hasAttributes: Bool = false) -> Markup {
        switch takeOpening() {
        case .none: return .none
        case .other(let place): return .other(place)
        case .tag(let name, let isClosing):
            var tag = HTMLTag(name: lowercased(name), isClosing: isClosing)
            tag.attributes = takeAttributes(keeping: hasAttributes)
            return .tag(tag)
        }
    }

    /// What of markup matters to who wants the text alone.
    enum SkippedMarkup {
        case none
        /// A tag, with the key of its name.
        case tag(UInt64, isClosing: Bool)
        case other
    }

    /// Goes past what begins with the `<` here; nowhere if that is no more than itself.
    mutating func skipMarkup() -> SkippedMarkup {
        switch takeOpening() {
        case .none: return .none
        case .other: return .other
        case .tag(let name, let isClosing):
            let key = HTMLTag.key(of: bytes[name])
            _ = takeAttributes(keeping: false)
            return .tag(key, isClosing: isClosing)
        }
    }

    private enum Opening {
        case none
        case tag(Range<Int>, isClosing: Bool)
        case other(Range<Int>)
    }

    /// Takes a tag's name, or all of what else begins with the `<` here.
    private mutating func takeOpening() -> Opening {
        let start = index
        guard index + 1 < bytes.count else { return .none }
        let second = bytes[index + 1]
        if second == UInt8(ascii: "!"), starts(with: "<!--") {
            index = find("-->", from: index + 4).map { $0 + 3 } ?? bytes.count
            return .other(start..<index)
        }
        if second == UInt8(ascii: "!") || second == UInt8(ascii: "?") {
            index = bytes[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            return .other(start..<index)
        }
        let isClosing = second == UInt8(ascii: "/")
        let nameStart = index + (isClosing ? 2 : 1)
        guard nameStart < bytes.count, Self.isLetter(bytes[nameStart]) else { return .none }
        index = nameStart
        while let byte = next, !Self.isSpace(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") { index += 1 }
        return .tag(nameStart..<index, isClosing: isClosing)
    }

    /// Takes the attributes, and the `>` after them.
    private mutating func takeAttributes(keeping isKept: Bool) -> [HTMLTag.Attribute] {
        var attributes: [HTMLTag.Attribute] = []
        while let byte = next {
            if byte == UInt8(ascii: ">") {
                index += 1
                break
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let start = index
            index += 1
            while let byte = next, !Self.isSpace(byte), byte != 0x3D, byte != 0x3E, byte != 0x2F { index += 1 }
            let name = start..<index
            let value = takeValue()
            if isKept {
                let text = String(decoding: bytes[value], as: UTF8.self)
                attributes.append(.init(name: lowercased(name), value: text))
            }
        }
        return attributes
    }

    /// Takes what an attribute is set to; nothing if it is set to nothing.
    private mutating func takeValue() -> Range<Int> {
        skipSpace()
        guard next == UInt8(ascii: "=") else { return index..<index }
        index += 1
        skipSpace()
        guard let quote = next else { return index..<index }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = index + 1
            let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
            index = min(end + 1, bytes.count)
            return start..<end
        }
        let start = index
        while let byte = next, !Self.isSpace(byte), byte != UInt8(ascii: ">") { index += 1 }
        return start..<index
    }

    private mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { index += 1 }
    }

    /// Goes on to the tag that ends an element whose content is no text, or to the end of all.
    mutating func skipRaw(_ name: String) {
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open
            let end = open + 2 + name.utf8.count
            let isEnd = end <= bytes.count && bytes[open + 1] == UInt8(ascii: "/") && lowercased(open + 2..<end) == name
            if isEnd, end == bytes.count || !Self.isLetter(bytes[end]) { return }
            index += 1
        }
        index = bytes.count
    }

    // MARK: Entities

    /// Takes the entity whose `&` is here; nothing and `nil` if it is none.
    mutating func takeEntity() -> Unicode.Scalar? {
        let start = index
        var end = index + 1
        guard end < bytes.count else { return nil }
        if bytes[end] == UInt8(ascii: "#") { return takeNumber(from: end + 1) }
        while end < bytes.count, end - start <= 10, Self.isLetter(bytes[end]) || (0x30...0x39).contains(bytes[end]) {
            end += 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ";"),
            let scalar = HTMLEntities.scalar(named: bytes[(start + 1)..<end])
        else { return nil }
        index = end + 1
        return scalar
    }

    private mutating func takeNumber(from start: Int) -> Unicode.Scalar? {
        var end = start
        let isHexadecimal = end < bytes.count && bytes[end] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { end += 1 }
        var number: UInt32 = 0
        let digits = end
        while end < bytes.count, let digit = Self.digit(bytes[end], isHexadecimal: isHexadecimal) {
            number = min(number &* (isHexadecimal ? 16 : 10) &+ digit, 0x11_0000)
            end += 1
        }
        guard end > digits else { return nil }
        index = end < bytes.count && bytes[end] == UInt8(ascii: ";") ? end + 1 : end
        return HTMLEntities.scalar(numbered: number)
    }

    // MARK: Bytes

    func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return text.withUTF8Buffer { buffer in bytes[index..<(index + count)].elementsEqual(buffer) }
    }

    private func find(_ text: StaticString, from start: Int) -> Int? {
        var copy = self
        copy.index = start
        while copy.index < bytes.count {
            guard !copy.starts(with: text) else { return copy.index }
            copy.index += 1
        }
        return nil
    }

    private func lowercased(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
    }

    /// Whether it is white: looked up only where that cannot be seen.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        (0x21...0x7E).contains(scalar.value) ? false : scalar.properties.isWhitespace
    }

    private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46 where isHexadecimal: UInt32(byte - 0x37)
        case 0x61...0x66 where isHexadecimal: UInt32(byte - 0x57)
        default: nil
        }
    }
}
