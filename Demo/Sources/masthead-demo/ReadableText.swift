import MastheadPublishing

/// HTML as a terminal can show it: paragraphs, items and rows, each on lines of its own.
enum ReadableText {
    private static let width = 78

    // Characters of no text, which the plain text keeps: where a block begins, a line, an item, a cell.
    private static let block: Character = "\u{1E}"
    private static let row: Character = "\u{1F}"
    private static let cell: Character = "\u{1D}"

    /// The text on one line.
    static func line(of html: String) -> String {
        HTMLText.plain(html).printable
    }

    /// The text, its blocks parted by empty lines.
    static func lines(of html: String) -> [String] {
        var marked = html.replacing(/<\/?(?:p|div|h[1-6]|ul|ol|table|blockquote|figure|pre|section|hr)\b/.ignoresCase())
        {
            "\(block)\($0.output)"
        }
        marked = marked.replacing(/<(?:br|tr)\b/.ignoresCase()) { "\(row)\($0.output)" }
        marked = withItemsMarked(marked)
        marked = marked.replacing(/<t[dh]\b/.ignoresCase()) { "\(cell)\($0.output)" }
        var lines: [String] = []
        for block in HTMLText.plain(marked).split(separator: block) {
            let rows = block.split(separator: row).map(shown).filter { !$0.isEmpty }
            guard !rows.isEmpty else { continue }
            if !lines.isEmpty { lines.append("") }
            lines += rows.flatMap(wrapped)
        }
        return lines
    }

    /// The text with a dot before each item of a list, or its number.
    private static func withItemsMarked(_ html: String) -> String {
        // The lists that are open: how many items each has had, if they are numbered.
        var lists: [Int?] = []
        return html.replacing(/<(\/?)(ol|ul|li)\b[^>]*>/.ignoresCase()) { match in
            let tag = match.output.0
            switch (match.output.2.lowercased(), match.output.1.isEmpty) {
            case ("ol", true): lists.append(0)
            case ("ul", true): lists.append(nil)
            case ("li", true):
                guard let last = lists.last, let count = last else { return "\(row)\(tag)• " }
                lists[lists.count - 1] = count + 1
                return "\(row)\(tag)\(count + 1). "
            case ("li", false): break
            default: _ = lists.popLast()
            }
            return String(tag)
        }
    }

    /// A row with its cells beside each other.
    private static func shown(_ row: Substring) -> String {
        row.split(separator: cell).map { String($0).printable.trimmed }.filter { !$0.isEmpty }.joined(separator: " | ")
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension String {
    /// The text without what a terminal would obey: a publisher's text is to be read.
    var printable: String {
        let isObeyed = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        guard unicodeScalars.contains(where: isObeyed) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isObeyed($0) ? " " : $0 }))
    }

    fileprivate var trimmed: String {
        split(separator: " ").joined(separator: " ")
    }
}
