extension TapeParser {
    mutating func literal(_ word: StaticString, _ kind: TapeWord.Kind) throws(JSONSyntaxError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < count, bytes[index] == word.utf8Start[offset] else {
                throw JSONSyntaxError(offset: index, reason: "no JSON value is spelt like this")
            }
            index &+= 1
        }
        append(TapeWord(kind, offset: start))
    }

    mutating func number() throws(JSONSyntaxError) {
        let start = index
        var kind = TapeWord.Kind.integer
        if bytes[index] == UInt8(ascii: "-") { index &+= 1 }
        if index < count, bytes[index] == UInt8(ascii: "0") { index &+= 1 } else { try digits() }
        if index < count, bytes[index] == UInt8(ascii: ".") {
            kind = .real
            index &+= 1
            try digits()
        }
        if index < count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            index &+= 1
            if index < count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index &+= 1 }
            try digits()
        }
        if index < count, bytes[index].isASCIIDigit {
            throw JSONSyntaxError(offset: index, reason: "a number starts with 0")
        }
        guard index - start <= TapeWord.maximumLength else {
            throw JSONSyntaxError(offset: start, reason: "a number is longer than 256 MiB")
        }
        append(TapeWord(kind, offset: start, length: index &- start))
    }

    @inline(__always) private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while index < count, bytes[index].isASCIIDigit { index &+= 1 }
        if index == start { throw JSONSyntaxError(offset: index, reason: "a number lacks a digit") }
    }

    /// Takes a string whose opening quote is next.
    @inline(__always) mutating func string() throws(JSONSyntaxError) {
        let start = index &+ 1
        var kind = TapeWord.Kind.ascii
        var place = start
        scan: while true {
            while place &+ 8 <= count {
                let special = UTF8Bytes.special(UTF8Bytes.word(bytes, place))
                if special != 0 {
                    place &+= special.trailingZeroBitCount >> 3
                    break
                }
                place &+= 8
            }
            guard place < count else { throw JSONSyntaxError(offset: count, reason: "the JSON ends within a string") }
            switch bytes[place] {
            case UInt8(ascii: "\""): break scan
            case UInt8(ascii: "\\"):
                kind = .escaped
                place = try escape(place)
            case 0..<0x20: throw JSONSyntaxError(offset: place, reason: "a control character stands in a string")
            case 0x20..<0x80: place &+= 1
            default:
                if kind == .ascii { kind = .text }
                repeat {
                    let length = UTF8Bytes.sequenceLength(bytes, place, end: count)
                    if length == 0 { throw JSONSyntaxError(offset: place, reason: "a string is not UTF-8") }
                    place &+= length
                } while place < count && bytes[place] >= 0x80
            }
        }
        guard place - start <= TapeWord.maximumLength else {
            throw JSONSyntaxError(offset: start - 1, reason: "a string is longer than 256 MiB")
        }
        append(TapeWord(kind, offset: start, length: place &- start))
        index = place &+ 1
    }

    /// Checks an escape (RFC 8259, section 7).
    ///
    /// - Returns: The place behind it.
    private func escape(_ start: Int) throws(JSONSyntaxError) -> Int {
        guard start + 1 < count else { throw JSONSyntaxError(offset: count, reason: "the JSON ends within a string") }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"): break
        default: throw JSONSyntaxError(offset: start, reason: "a string has an escape that is none")
        }
        let first = try unit(start + 2)
        guard (0xD800...0xDFFF).contains(first) else { return start + 6 }
        // Of a pair of surrogates the second must follow at once.
        guard first < 0xDC00, start + 7 < count, bytes[start + 6] == UInt8(ascii: "\\"),
            bytes[start + 7] == UInt8(ascii: "u")
        else { throw JSONSyntaxError(offset: start, reason: "a string has a lone surrogate") }
        guard (0xDC00...0xDFFF).contains(try unit(start + 8)) else {
            throw JSONSyntaxError(offset: start, reason: "a string has a lone surrogate")
        }
        return start + 12
    }

    private func unit(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for place in start..<start + 4 {
            guard place < count, let digit = bytes[place].hexadecimalDigit else {
                throw JSONSyntaxError(offset: place, reason: "a string has an escape without its four digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

extension UInt8 {
    @inline(__always) var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// The value of a digit of base 16.
    @inline(__always) var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
