/// A text, and where in it stands what was searched for.
///
/// ```swift
/// label.text = hit.snippet.text
/// for range in hit.snippet.highlights { label.emphasize(range) }
/// web.show(hit.snippet.html())                               // …the <mark>harbour</mark> at…
/// ```
public struct HighlightedText: Sendable, Hashable {
    /// The text, without any marks.
    public let text: String

    /// Where it says what was searched for, in order.
    public let highlights: [Range<String.Index>]

    /// Reads a text with marks around what was found.
    init(marked: String) {
        var text = ""
        var offsets: [(start: Int, end: Int)] = []
        var start: Int?
        for scalar in marked.unicodeScalars {
            switch scalar {
            case SearchMark.start: start = text.utf8.count
            case SearchMark.end:
                if let begun = start { offsets.append((begun, text.utf8.count)) }
                start = nil
            default: text.unicodeScalars.append(scalar)
            }
        }
        self.text = text
        highlights = offsets.map { offsets in
            text.utf8.index(
                text.startIndex,
                offsetBy: offsets.start
            )..<text.utf8.index(
                text.startIndex,
                offsetBy: offsets.end
            )
        }
    }

    /// A piece of a text as UTF-8, with an ellipsis where more of it stands, and the places in the whole that stand out.
    init(_ piece: ArraySlice<UInt8>, isAtStart: Bool, isAtEnd: Bool, _ places: [Range<Int>]) {
        let text = (isAtStart ? "" : "…") + String(decoding: piece, as: UTF8.self) + (isAtEnd ? "" : "…")
        let shift = (isAtStart ? 0 : "…".utf8.count) - piece.startIndex
        self.text = text
        highlights = places.compactMap { place in
            let place = place.clamped(to: piece.startIndex..<piece.endIndex)
            guard !place.isEmpty else { return nil }
            let start = text.utf8.index(text.startIndex, offsetBy: place.lowerBound + shift)
            return start..<text.utf8.index(start, offsetBy: place.count)
        }
    }

    /// The text as HTML, with an element around what was found.
    ///
    /// The element's name has letters and digits only; for any other, it is `mark`.
    public func html(element: String = "mark") -> String {
        let isName =
            !element.isEmpty
            && element.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            }
        let name = isName ? element : "mark"
        var html = ""
        var end = text.startIndex
        for range in highlights {
            html += HTMLText.escaped(String(text[end..<range.lowerBound]))
            html += "<\(name)>\(HTMLText.escaped(String(text[range])))</\(name)>"
            end = range.upperBound
        }
        return html + HTMLText.escaped(String(text[end...]))
    }
}
