/// JSON with the members of each object in the order of their names, and nothing else changed.
struct SortedText {
    private let bytes: [UInt8]
    private var index = 0

    /// Sorts a text that is JSON without spaces.
    static func of(_ bytes: [UInt8]) -> String {
        var text = SortedText(bytes: bytes)
        let sorted = text.value()
        return sorted + String(decoding: bytes[text.index...], as: UTF8.self)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func value() -> String {
        switch next {
        case UInt8(ascii: "{"):
            let members = list(to: "}") { text in
                let name = text.scalar()
                text.index += 1
                return "\(name):\(text.value())"
            }
            return "{\(members.sorted().joined(separator: ","))}"
        case UInt8(ascii: "["): return "[\(list(to: "]") { $0.value() }.joined(separator: ","))]"
        default: return scalar()
        }
    }

    private mutating func list(to end: Unicode.Scalar, _ element: (inout SortedText) -> String) -> [String] {
        var elements: [String] = []
        index += 1
        while let next, next != UInt8(ascii: end) {
            if next == UInt8(ascii: ",") { index += 1 }
            elements.append(element(&self))
        }
        index += 1
        return elements
    }

    /// A string as it is written, a number or a word.
    private mutating func scalar() -> String {
        let start = index
        if next == UInt8(ascii: "\"") {
            index += 1
            while let next, next != UInt8(ascii: "\"") { index += next == UInt8(ascii: "\\") ? 2 : 1 }
            index = min(index + 1, bytes.count)
        } else {
            while let next, !",:]}".utf8.contains(next) { index += 1 }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
