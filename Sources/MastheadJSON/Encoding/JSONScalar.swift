/// How strings and numbers are written.
package enum JSONScalar {
    /// Writes a string with its quotes.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if let start = text.baseAddress {
            var done = 0
            while true {
                let end = UTF8Bytes.firstToEscape(start, from: done, end: text.count)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[done..<end]))
                guard end < text.count else { break }
                appendEscaped(text[end], to: &bytes)
                done = end + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes what may not stand in a string as it is (RFC 8259, section 7).
    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }

    /// Writes a finite number.
    static func append(_ number: some BinaryFloatingPoint & CustomStringConvertible, to bytes: inout [UInt8]) {
        let text = number.description
        // A whole number is written as one.
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
    }
}
