/// An entity tag: a server's name for one state of what it serves (RFC 9110, section 8.8.3).
///
/// ```swift
/// guard let tag = response.headers["ETag"].flatMap(EntityTag.init), !tag.isWeak else { … }
/// ```
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// What stands between the quotes.
    package let opaque: String

    /// Whether it only says that two states mean the same, not that they are so byte for byte.
    package let isWeak: Bool

    /// The tag as it stands in a header field.
    package var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

    /// Reads a field's value; `nil` if it is no tag: without quotes, or with a blank or a control character in them.
    package init?(_ value: String) {
        let text = value.trimmingBlanks.utf8
        isWeak = text.starts(with: "W/".utf8)
        let quoted = text.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote else { return nil }
        let inner = quoted.dropFirst().dropLast()
        guard inner.allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F }) else { return nil }
        opaque = String(Substring(inner))
    }

    /// Whether both name the same bytes: the same tag, and neither of them weak.
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }

    /// Whether both name what means the same.
    package func matchesWeakly(_ other: EntityTag) -> Bool {
        // Byte for byte: `String` takes canonically equivalent texts for the same.
        opaque.utf8.elementsEqual(other.opaque.utf8)
    }
}
