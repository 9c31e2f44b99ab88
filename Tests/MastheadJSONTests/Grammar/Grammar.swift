import FoundationEssentials

/// RFC 8259's grammar, read by the letter and without a thought for speed: what the parser is held against.
struct Grammar {
    private var rest: ArraySlice<UInt8>

    /// Whether bytes are one JSON text: UTF-8, no lone surrogate, at most 512 levels.
    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var grammar = Grammar(rest: bytes[...])
        return grammar.element(depth: 0) && grammar.rest.isEmpty
    }

    /// Whether `Double` is exact for every number in a text that has a fraction or a power of ten, or nearly so.
    static func isExact(_ bytes: Data) -> Bool {
        String(decoding: bytes, as: UTF8.self).split { !"0123456789.eE+-".contains($0) }.allSatisfy { number in
            guard number.contains(where: { ".eE".contains($0) }) else { return true }
            let parts = number.split { "eE".contains($0) }
            return number.count <= 15 && parts.count <= 2 && parts.dropFirst().allSatisfy { $0.count <= 3 }
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func whitespace() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private mutating func element(depth: Int) -> Bool {
        whitespace()
        guard value(depth: depth) else { return false }
        whitespace()
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        if take("null") || take("true") || take("false") { return true }
        if rest.first == UInt8(ascii: "\"") { return string() }
        if take("[") {
            guard depth < 512 else { return false }
            whitespace()
            if take("]") { return true }
            repeat { guard element(depth: depth + 1) else { return false } } while take(",")
            return take("]")
        }
        if take("{") {
            guard depth < 512 else { return false }
            whitespace()
            if take("}") { return true }
            repeat {
                whitespace()
                guard string() else { return false }
                whitespace()
                guard take(":"), element(depth: depth + 1) else { return false }
            } while take(",")
            return take("}")
        }
        return number()
    }

    private mutating func digits() -> Bool {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func unit() -> UInt16? {
        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy({ $0.isHexDigit && $0.isASCII }) else { return nil }
        rest = rest.dropFirst(4)
        return UInt16(digits, radix: 16)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let letter = rest.popFirst() else { return false }
                if letter == UInt8(ascii: "u") {
                    guard let first = unit() else { return false }
                    if (0xDC00...0xDFFF).contains(first) { return false }
                    if (0xD800...0xDBFF).contains(first) {
                        guard take("\\u"), let second = unit(), (0xDC00...0xDFFF).contains(second) else { return false }
                    }
                } else if !#""\/bfnrt"#.utf8.contains(letter) {
                    return false
                }
            default: break
            }
        }
        return false
    }
}
