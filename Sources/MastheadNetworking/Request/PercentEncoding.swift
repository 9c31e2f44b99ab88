/// A set of ASCII characters, as bits.
struct ASCIISet: Sendable {
    /// RFC 3986, section 2.3.
    static let unreserved = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// What a segment may hold as it is (RFC 3986, section 3.3).
    static let segment = unreserved.union("!$&'()*+,;=:@")

    /// ``segment`` without `;`, at which some servers cut a segment: fit for a value that is nobody's syntax.
    static let segmentValue = unreserved.union("!$&'()*+,=:@")

    /// What the URL Standard's form encoding leaves alone; a space becomes `+` besides.
    static let form = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._*")

    /// What a finished path or query may hold, `%` included.
    static let finished = segment.union("/?%")

    /// The characters of a token (RFC 9110, section 5.6.2).
    static let token = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    func union(_ characters: String) -> ASCIISet {
        let other = ASCIISet(characters)
        var result = self
        result.low |= other.low
        result.high |= other.high
        return result
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
}

extension [UInt8] {
    /// Appends the byte, or its percent-encoding if `allowed` lacks it.
    mutating func append(_ byte: UInt8, allowing allowed: ASCIISet) {
        if allowed.contains(byte) {
            append(byte)
        } else {
            append(UInt8(ascii: "%"))
            append(Self.hexadecimal(byte >> 4))
            append(Self.hexadecimal(byte & 15))
        }
    }

    /// Appends the text, percent-encoding every byte of its UTF-8 that `allowed` lacks.
    mutating func append(_ text: some StringProtocol, allowing allowed: ASCIISet) {
        for byte in text.utf8 { append(byte, allowing: allowed) }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}

extension UInt8 {
    /// Whether it is a control character of ASCII, DEL included.
    var isControl: Bool { self < 0x20 || self == 0x7F }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
