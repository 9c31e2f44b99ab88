/// Reads dates and times from the front of a text.
struct TimeReader {
    private var bytes: Substring.UTF8View

    init(_ text: some StringProtocol) {
        bytes = Substring(text).utf8
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Takes exactly that many digits.
    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = bytes.first, byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            bytes.removeFirst()
        }
        return value
    }

    /// Takes a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: byte) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Takes the letters that come next.
    mutating func word() -> String {
        let letters = bytes.prefix { ($0 | 0x20).isASCIILowercaseLetter }
        bytes = bytes.dropFirst(letters.count)
        return String(Substring(letters))
    }
}
