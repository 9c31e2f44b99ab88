/// A coding path as code would write it: `volumes[0].meta.published`.
///
/// A member's name that does not look like one is masked to its length, as snippets do: an object may be keyed by e-mail
/// address.
struct CodingPathText: Sendable {
    /// The path; empty for the top.
    let text: String

    init(_ path: [any CodingKey]) {
        var text = ""
        for key in path {
            // The key of a dictionary has a number too if it is digits, such as a telephone's.
            if let index = key.intValue, Int(key.stringValue) != index {
                text += "[\(index)]"
            } else if Self.looksLikeName(key.stringValue) {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            } else {
                text += "[‹\(key.stringValue.count)›]"
            }
        }
        self.text = text
    }

    private static func looksLikeName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 40, name.utf8.count(where: \.isDigit) <= 5 else { return false }
        return name.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isDigit || byte >= 0x80 || "_-$:".utf8.contains(byte)
        }
    }
}
