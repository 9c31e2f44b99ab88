/// Bytes looked at eight at a time.
package enum UTF8Bytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always) static func word(_ bytes: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Finds the first byte that ends a run of plain characters of a string: its highest bit is set, and none before it.
    ///
    /// Such a byte is a quote, a backslash, a control character or beyond ASCII. 0 if there is none.
    @inline(__always) static func special(_ word: UInt64) -> UInt64 { (toEscape(word) | word) & highs }

    /// The same of the bytes that a string has escaped; what else is set says nothing.
    @inline(__always) private static func toEscape(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- (ones &* 0x20)) & ~word
    }

    /// Where the first byte is that may not stand in a string as it is: a quote, a backslash or a control character.
    static func firstToEscape(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) -> Int {
        var index = start
        while index &+ 32 <= end {
            let first = toEscape(word(bytes, index)) | toEscape(word(bytes, index &+ 8))
            let second = toEscape(word(bytes, index &+ 16)) | toEscape(word(bytes, index &+ 24))
            if (first | second) & highs != 0 { break }
            index &+= 32
        }
        while index &+ 8 <= end {
            let found = toEscape(word(bytes, index)) & highs
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, bytes[index] >= 0x20, bytes[index] != 0x22, bytes[index] != 0x5C { index &+= 1 }
        return index
    }

    /// How many bytes the UTF-8 sequence there has (RFC 3629, section 4); 0 if it is none before the end.
    @inline(__always) static func sequenceLength(_ bytes: UnsafePointer<UInt8>, _ index: Int, end: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first <= 0xF4, index &+ length <= end else { return 0 }
        let second = bytes[index &+ 1]
        guard second & 0xC0 == 0x80 else { return 0 }
        // The second byte's range shuts out overlong forms, surrogates and what is above U+10FFFF.
        switch first {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F: return 0
        case 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return 0
        default: break
        }
        if length > 2, bytes[index &+ 2] & 0xC0 != 0x80 { return 0 }
        if length > 3, bytes[index &+ 3] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Where bytes stop being UTF-8 (RFC 3629); `nil` if they are.
    package static func firstInvalid(_ bytes: Span<UInt8>, from start: Int = 0) -> Int? {
        bytes.withUnsafeBufferPointer { firstInvalid($0, from: start) }
    }

    private static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start
        while index < bytes.count {
            // Bodies are mostly ASCII.
            while index &+ 32 <= bytes.count {
                let all =
                    word(base, index) | word(base, index &+ 8) | word(base, index &+ 16) | word(base, index &+ 24)
                if all & highs != 0 { break }
                index &+= 32
            }
            while index &+ 8 <= bytes.count, word(base, index) & highs == 0 { index &+= 8 }
            guard index < bytes.count else { break }
            let length = sequenceLength(base, index, end: bytes.count)
            if length == 0 { return index }
            index &+= length
        }
        return nil
    }
}
