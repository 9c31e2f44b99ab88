import MastheadJSON

/// Steps through a JSON string, from behind its first quote to behind its last.
struct JSONStringScanner: Sendable {
    var index: Int
    var isEscaped = false

    mutating func scan(_ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"):
                isEscaped = true
                _ = try escape(bytes)
            case 0..<0x20: throw JSONSyntaxError(offset: index, reason: "a control character stands in a string")
            case 0x20..<0x80: index += 1
            default:
                let length = bytes.utf8SequenceLength(at: index)
                if length == 0 { throw JSONSyntaxError(offset: index, reason: "a string is not UTF-8") }
                index += length
            }
        }
        throw JSONSyntaxError(offset: bytes.count, reason: "the JSON ends within a string")
    }

    /// The character that the escape at the place stands for (RFC 8259, section 7).
    mutating func escape(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index
        index += 1
        guard index < bytes.count else {
            throw JSONSyntaxError(offset: index, reason: "the JSON ends within a string")
        }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw JSONSyntaxError(offset: start, reason: "a string has an escape that is none")
        }
        let first = try unit(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Of a pair of surrogates the second must follow at once.
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONSyntaxError(offset: start, reason: "a string has a lone surrogate") }
        index += 2
        let second = try unit(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONSyntaxError(offset: start, reason: "a string has a lone surrogate") }
        return scalar
    }

    private mutating func unit(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = bytes[index].hexadecimalValue else {
                throw JSONSyntaxError(offset: index, reason: "a string has an escape without its four digits")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

extension UInt8 {
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Span<UInt8> {
    /// How many bytes the UTF-8 sequence there has (RFC 3629, section 4); 0 if it is none.
    func utf8SequenceLength(at index: Int) -> Int {
        let first = self[index]
        let length =
            switch first {
            case 0..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 1 else { return length }
        guard index + length <= count else { return 0 }
        // The second byte's range shuts out overlong forms, surrogates and what is above U+10FFFF.
        let second: ClosedRange<UInt8> =
            switch first {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard second.contains(self[index + 1]) else { return 0 }
        for next in 2..<max(2, length) where self[index + next] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
