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
        String(decoding: plainBytes(html), as: UTF8.self)
    }

    /// The same as UTF-8.
    static func plainBytes(_ html: String) -> [UInt8] {
        var scanner = HTMLScanner(html)
        scanner.skipWords()
        // It says nothing but what it says, as most titles do.
        if scanner.next == nil { return scanner.bytes }
        scanner.index = 0
        // What stands for something else is never shorter than it.
        return [UInt8](unsafeUninitializedCapacity: scanner.bytes.count) { buffer, count in
            var writer = PlainTextWriter(buffer)
            scanner.writeText(to: &writer)
            count = writer.count
        }
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
