/// What HTML says to a reader: its text without tags, its entities as the characters they stand for.
///
/// ```swift
/// HTMLText.plain("<p>Salt &amp; <b>T</b>ide</p>")         // "Salt & Tide"
/// HTMLText.decodingEntities(in: "caf&eacute;")             // "café"
/// HTMLText.escaped("a < b")                                // "a &lt; b"
/// ```
///
/// It takes any text and never fails: what is no tag and no entity stays as it is.
public enum HTMLText {
    /// The text with its named and numeric entities as characters, and with everything else as it is.
    public static func decodingEntities(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var scanner = HTMLScanner(text)
        var output: [UInt8] = []
        output.reserveCapacity(scanner.bytes.count)
        while let byte = scanner.next {
            if byte == UInt8(ascii: "&"), let scalar = scanner.takeEntity() {
                output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            } else {
                output.append(byte)
                scanner.index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text alone: without tags, comments, scripts and styles, entities decoded, white space run together.
    ///
    /// A tag within a word does not part it, `<b>T</b>ide`, unless it begins something new, `one<br>two`.
    public static func plain(_ html: String) -> String {
        var scanner = HTMLScanner(html)
        var output: [UInt8] = []
        output.reserveCapacity(scanner.bytes.count)
        var isSpaceDue = false

        func append(_ bytes: some Collection<UInt8>) {
            if isSpaceDue, !output.isEmpty { output.append(0x20) }
            isSpaceDue = false
            output.append(contentsOf: bytes)
        }

        while let byte = scanner.next {
            switch byte {
            case UInt8(ascii: "<"):
                switch scanner.takeMarkup() {
                case .none:
                    append(CollectionOfOne(byte))
                    scanner.index += 1
                case .tag(let tag):
                    if !HTMLTag.inline.contains(tag.name) { isSpaceDue = true }
                    if !tag.isClosing, HTMLTag.raw.contains(tag.name) { scanner.skipRaw(tag.name) }
                case .other: break
                }
            case UInt8(ascii: "&"):
                if let scalar = scanner.takeEntity() {
                    if scalar.properties.isWhitespace {
                        isSpaceDue = true
                    } else if let encoded = UTF8.encode(scalar) {
                        append(encoded)
                    }
                } else {
                    append(CollectionOfOne(byte))
                    scanner.index += 1
                }
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                isSpaceDue = true
                scanner.index += 1
            default:
                let start = scanner.index
                scanner.skipText()
                append(scanner.bytes[start..<scanner.index])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text so that HTML shows it as it is, in an element and in an attribute with any quotes.
    public static func escaped(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
