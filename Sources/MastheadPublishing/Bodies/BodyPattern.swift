/// What stands in an article's text where an asset belongs.
///
/// ```swift
/// let renderer = BodyRenderer(pattern: try BodyPattern(#"\{\{asset ([^}\s]+)\}\}"#))
/// ```
///
/// The publisher's own is an HTML comment, `<!-- [ASSET: id] -->`: the word in any case, the id as it is, with neither a
/// blank nor `]` in it.
public struct BodyPattern: Sendable, Hashable {
    /// The publisher's own pattern.
    public static let standard = BodyPattern(expression: nil)

    /// The regular expression, `nil` for the standard pattern.
    let expression: String?

    private init(expression: String?) {
        self.expression = expression
    }

    /// Takes a regular expression with one group: the asset's id.
    ///
    /// - Parameter expression: The expression, in Swift's syntax.
    /// - Throws: ``BodyPatternError`` for what is no expression, and for one without exactly one group.
    public init(_ expression: String) throws(BodyPatternError) {
        guard (try? Regex(expression)) != nil else { throw .invalid }
        // A match has the whole and each group.
        guard (try? Regex(expression, as: (Substring, Substring).self)) != nil else { throw .groups }
        self.expression = expression
    }

    /// The placeholders of a text, in order.
    func placeholders(in text: String) -> [BodyPlaceholder] {
        guard let expression else { return Self.standardPlaceholders(in: text) }
        guard let regex = try? Regex(expression, as: (Substring, Substring).self) else { return [] }
        return text.matches(of: regex).compactMap { match in
            match.range.isEmpty ? nil : BodyPlaceholder(range: match.range, asset: Asset.ID(String(match.output.1)))
        }
    }

    private static func standardPlaceholders(in text: String) -> [BodyPlaceholder] {
        var text = text
        text.makeContiguousUTF8()
        let bytes = Array(text.utf8)
        let (opening, keyword, closing) = (Array("<!-- [".utf8), Array("asset: ".utf8), Array("] -->".utf8))
        var found: [BodyPlaceholder] = []
        var index = 0

        func stands(_ word: [UInt8], at start: Int) -> Bool {
            start + word.count <= bytes.count
                && zip(word, bytes[start...]).allSatisfy { $0 == $1 || (0x61...0x7A).contains($0) && $0 == $1 | 0x20 }
        }

        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            guard stands(opening, at: start), stands(keyword, at: start + opening.count) else { continue }
            let idStart = start + opening.count + keyword.count
            let idEnd = bytes[idStart...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "]") } ?? bytes.count
            guard idEnd > idStart, stands(closing, at: idEnd) else { continue }
            index = idEnd + closing.count
            let range =
                text.utf8.index(
                    text.startIndex,
                    offsetBy: start
                )..<text.utf8.index(
                    text.startIndex,
                    offsetBy: index
                )
            found.append(
                BodyPlaceholder(range: range, asset: Asset.ID(String(decoding: bytes[idStart..<idEnd], as: UTF8.self)))
            )
        }
        return found
    }
}

/// A place in a text where an asset belongs.
struct BodyPlaceholder: Hashable {
    let range: Range<String.Index>
    let asset: Asset.ID
}
