import FoundationEssentials

/// How text is written in bytes.
enum TextEncoding: Sendable, Hashable {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
    case windows1252

    /// An encoding by the name a `Content-Type` has for it, and whether the name leaves the byte order open.
    ///
    /// As in the WHATWG Encoding Standard, ISO-8859-1 is taken for windows-1252, which has letters where the other has
    /// control characters; ASCII is taken for UTF-8.
    static func named(_ charset: some StringProtocol) -> TextEncoding? {
        switch charset.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": .utf8
        case "utf-16", "utf-16be", "utf16": .utf16(isBigEndian: true)
        case "utf-16le": .utf16(isBigEndian: false)
        case "utf-32", "utf-32be", "utf32": .utf32(isBigEndian: true)
        case "utf-32le": .utf32(isBigEndian: false)
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252": .windows1252
        default: nil
        }
    }

    /// What a byte order mark says, and how long it is.
    static func marked(_ bytes: Span<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        // UTF-32 first: its little-endian mark starts with that of UTF-16.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
        return nil
    }

    /// What the zero bytes at the start say, given that JSON starts with an ASCII character (RFC 4627,
    /// section 3); `nil` if there are none.
    static func recognized(_ bytes: Span<UInt8>) -> TextEncoding? {
        guard bytes.count >= 2, bytes.count % 2 == 0 else { return nil }
        if bytes.count % 4 == 0 {
            if bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] != 0 { return .utf32(isBigEndian: true) }
            if bytes[0] != 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0 { return .utf32(isBigEndian: false) }
        }
        return switch (bytes[0] == 0, bytes[1] == 0) {
        case (true, false): .utf16(isBigEndian: true)
        case (false, true): .utf16(isBigEndian: false)
        default: nil
        }
    }

    /// What windows-1252 has at 0x80 to 0x9F; the five places it leaves empty stay control characters.
    static let windows1252Letters: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

extension Span<UInt8> {
    fileprivate func starts(with mark: [UInt8]) -> Bool {
        guard count >= mark.count else { return false }
        for index in mark.indices where self[index] != mark[index] { return false }
        return true
    }
}
