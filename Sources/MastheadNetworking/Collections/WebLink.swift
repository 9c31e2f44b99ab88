/// Reads `Link` fields (RFC 8288, section 3).
package enum WebLink {
    /// The target of the first link of a relation, as it came; `nil` if there is none.
    ///
    /// A link with an `anchor` is about something else than the page, and does not count.
    package static func target(of relation: String, in headers: HTTPHeaders) -> String? {
        for value in headers.values(of: "Link") {
            var reader = WebLinkReader(value)
            while let link = reader.next() {
                guard !link.hasAnchor, let relations = link.relations else { continue }
                let names = relations.split(whereSeparator: { $0 == " " || $0 == "\t" })
                if names.contains(where: { String($0).isEqualIgnoringASCIICase(relation) }) { return link.target }
            }
        }
        return nil
    }
}

/// Goes through the links of one field; what is none ends it.
private struct WebLinkReader {
    struct Link {
        let target: String
        var relations: String?
        var hasAnchor = false
    }

    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func next() -> Link? {
        skip { $0.isWebSpace || $0 == UInt8(ascii: ",") }
        guard rest.popFirst() == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
            rest = rest.suffix(0)
            return nil
        }
        var link = Link(target: String(Substring(rest[..<end])).trimmedOfWebSpace)
        rest = rest[rest.index(after: end)...]
        while let (name, value) = parameter() {
            if name == "anchor" { link.hasAnchor = true }
            // Of several the first counts (section 3.3).
            if name == "rel", link.relations == nil { link.relations = value }
        }
        return link
    }

    /// The next parameter of the link; `nil` if it has no more.
    private mutating func parameter() -> (name: String, value: String)? {
        skip(\.isWebSpace)
        guard rest.first == UInt8(ascii: ";") else {
            // What stands between a link and the next comma is of no form there is.
            skip { $0 != UInt8(ascii: ",") }
            return nil
        }
        rest = rest.dropFirst()
        skip(\.isWebSpace)
        let name = take { !$0.isWebSpace && !";,=".utf8.contains($0) }.lowercased()
        skip(\.isWebSpace)
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest = rest.dropFirst()
        skip(\.isWebSpace)
        guard rest.first != UInt8(ascii: "\"") else {
            rest = rest.dropFirst()
            return (name, quoted())
        }
        return (name, take { !$0.isWebSpace && !";,".utf8.contains($0) })
    }

    /// What is left of a quoted string (RFC 9110, section 5.6.4).
    private mutating func quoted() -> String {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                bytes.append(escaped)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        rest = rest.drop(while: condition)
    }

    private mutating func take(_ condition: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }
}

extension UInt8 {
    /// A space or a tab.
    fileprivate var isWebSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension String {
    fileprivate var trimmedOfWebSpace: String {
        var text = utf8[...]
        while text.first?.isWebSpace == true { text = text.dropFirst() }
        while text.last?.isWebSpace == true { text = text.dropLast() }
        return String(Substring(text))
    }
}
