/// Lets only harmless elements and attributes of HTML through: no script, no style, no frame, no address but the web's.
///
/// What is not known to be harmless goes, and its text stays; of scripts, styles and frames the text goes too. It is no
/// parser: tags that are not closed stay so.
struct HTMLSanitizer {
    /// Comments that are placeholders of this pattern stay.
    private let pattern: BodyPattern?

    init(keeping pattern: BodyPattern? = nil) {
        self.pattern = pattern
    }

    func sanitized(_ html: String) -> String {
        var scanner = HTMLScanner(html)
        var output: [UInt8] = []
        output.reserveCapacity(scanner.bytes.count)
        while let byte = scanner.next {
            guard byte == UInt8(ascii: "<") else {
                let start = scanner.index
                scanner.index = scanner.bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? scanner.bytes.count
                output.append(contentsOf: scanner.bytes[start..<scanner.index])
                continue
            }
            switch scanner.takeMarkup(withAttributes: true) {
            case .none:
                output.append(contentsOf: "&lt;".utf8)
                scanner.index += 1
            case .other(let range):
                let comment = String(decoding: scanner.bytes[range], as: UTF8.self)
                if isPlaceholder(comment) { output.append(contentsOf: comment.utf8) }
            case .tag(let tag):
                if HTMLTag.raw.contains(tag.name) {
                    if !tag.isClosing { scanner.skipRaw(tag.name) }
                } else if Self.elements.contains(tag.name) {
                    output.append(contentsOf: Self.written(tag).utf8)
                }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func isPlaceholder(_ comment: String) -> Bool {
        guard let pattern else { return false }
        let found = pattern.placeholders(in: comment)
        return found.count == 1 && found.first?.range == comment.startIndex..<comment.endIndex
    }

    private static func written(_ tag: HTMLTag) -> String {
        guard !tag.isClosing else { return "</\(tag.name)>" }
        var text = "<\(tag.name)"
        for attribute in tag.attributes {
            let value = HTMLText.decodingEntities(in: attribute.value)
            let isHarmless =
                addresses.contains(attribute.name)
                ? attributes[tag.name]?.contains(attribute.name) == true && isWebAddress(value)
                : everywhere.contains(attribute.name) || attributes[tag.name]?.contains(attribute.name) == true
            if isHarmless { text += " \(attribute.name)=\"\(HTMLText.escaped(value))\"" }
        }
        return text + ">"
    }

    /// Whether it leads to the web, to a mail, or to what is beside the text.
    private static func isWebAddress(_ address: String) -> Bool {
        // Browsers pass over these wherever they are.
        let address = String(String.UnicodeScalarView(address.unicodeScalars.filter { $0.value > 0x20 })).lowercased()
        guard let colon = address.firstIndex(of: ":") else { return true }
        let scheme = address[..<colon]
        if scheme.contains(where: { "/?#".contains($0) }) { return true }
        return ["http", "https", "mailto"].contains(scheme)
    }

    private static let addresses: Set<String> = ["href", "src", "cite", "poster"]
    private static let everywhere: Set<String> = ["class", "title", "lang", "dir"]

    private static let attributes: [String: Set<String>] = [
        "a": ["href"], "img": ["src", "alt", "width", "height"], "audio": ["src", "controls"],
        "video": ["src", "controls", "poster", "width", "height"], "source": ["src", "type"],
        "blockquote": ["cite"], "q": ["cite"], "ol": ["start", "reversed"], "td": ["colspan", "rowspan"],
        "th": ["colspan", "rowspan", "scope"], "time": ["datetime"], "col": ["span"], "colgroup": ["span"],
    ]

    private static let elements: Set<String> = [
        "a", "abbr", "article", "aside", "audio", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code",
        "col",
        "colgroup", "dd", "del", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3",
        "h4",
        "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "ol", "p", "pre", "q", "rp", "rt",
        "ruby",
        "s", "samp", "section", "small", "source", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot",
        "th",
        "thead", "time", "tr", "u", "ul", "var", "video", "wbr",
    ]
}
