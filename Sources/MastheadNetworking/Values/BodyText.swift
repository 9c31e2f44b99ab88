package import FoundationEssentials
import MastheadJSON

/// A body's text as UTF-8, whatever it came in.
///
/// ```swift
/// let text = try BodyText(response.body, contentType: response.headers["Content-Type"])
/// try decoder.decode(Volume.self, from: text.utf8)
/// ```
///
/// What the bytes are is said by a byte order mark, else by the `charset` of the content type, else by the zero bytes
/// that JSON has in UTF-16 and UTF-32 (RFC 4627, section 3); else they are UTF-8 (RFC 8259, section 8.1). UTF-8, UTF-16
/// and UTF-32 of either byte order, windows-1252 and ISO-8859-1 are known; of any other charset only what is ASCII. A
/// body in UTF-8 costs one look at each byte and no copy.
package struct BodyText: Sendable {
    /// The text in UTF-8, without a byte order mark.
    package let utf8: Data

    private let encoding: TextEncoding
    private let markLength: Int

    /// Makes UTF-8 of a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: Its content type.
    ///   - isChecked: Whether it is looked at what claims to be UTF-8; if not, ``check()`` does it.
    /// - Throws: ``TextFailure`` where the bytes are not what they ought to be; nothing is replaced or left out.
    package init(_ body: Data, contentType: String?, isChecked: Bool = true) throws(TextFailure) {
        let span = body.span
        let charset = contentType.flatMap(Self.charset)
        if let mark = TextEncoding.marked(span) {
            encoding = mark.encoding
            markLength = mark.length
        } else {
            markLength = 0
            let named = charset.flatMap { TextEncoding.named($0) }
            if charset != nil, named == nil, let index = (0..<span.count).first(where: { span[$0] >= 0x80 }) {
                throw TextFailure(offset: index, reason: "the body's charset is not known")
            }
            // A charset that names no byte order, or the wrong one, gives way to what the bytes show.
            encoding = named == .windows1252 ? .windows1252 : TextEncoding.recognized(span) ?? named ?? .utf8
        }
        if encoding == .utf8 {
            utf8 = markLength == 0 ? body : Data(body.dropFirst(markLength))
            if isChecked { try check() }
        } else {
            utf8 = try Self.transcode(span, from: markLength, encoding)
        }
    }

    /// Looks whether ``utf8`` is UTF-8.
    package func check() throws(TextFailure) {
        if let offset = UTF8Bytes.firstInvalid(utf8.span, from: 0) {
            throw TextFailure(offset: bodyOffset(offset), reason: "the body is not UTF-8")
        }
    }

    /// Where a place in ``utf8`` stands in the body as it came.
    package func bodyOffset(_ offset: Int) -> Int {
        let before = utf8.prefix(offset)
        return switch encoding {
        case .utf8: markLength + offset
        case .windows1252: before.count { $0 & 0xC0 != 0x80 }
        case .utf32: markLength + 4 * before.count { $0 & 0xC0 != 0x80 }
        // A sequence of four bytes is a pair of surrogates.
        case .utf16: markLength + 2 * before.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        }
    }

    /// The `charset` of a content type (RFC 9110, section 8.3).
    private static func charset(_ contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, String(pair[0]).trimmingBlanks.lowercased() == "charset" else { continue }
            let value = String(pair[1]).trimmingBlanks.filter { $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : value
        }
        return nil
    }
}

/// Where a body is not the text it ought to be.
package struct TextFailure: Error, Sendable, Hashable {
    /// The place, in bytes from the start of the body.
    package let offset: Int

    /// What is wrong there.
    package let reason: String
}

// MARK: - Transcoding

extension BodyText {
    private static func transcode(
        _ bytes: Span<UInt8>,
        from start: Int,
        _ encoding: TextEncoding
    ) throws(TextFailure) -> Data {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = start
        while index < bytes.count {
            let place = index
            let value: UInt32? =
                switch encoding {
                case .utf8, .windows1252: windows1252(bytes, &index)
                case .utf16(let isBigEndian): utf16(bytes, &index, isBigEndian)
                case .utf32(let isBigEndian): unit(bytes, &index, size: 4, isBigEndian)
                }
            guard let value, let scalar = Unicode.Scalar(value) else {
                throw TextFailure(offset: place, reason: "the body is not in the encoding it claims")
            }
            if let utf8 = UTF8.encode(scalar) { result.append(contentsOf: utf8) }
        }
        return Data(result)
    }

    private static func windows1252(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt32 {
        let byte = bytes[index]
        index += 1
        return (0x80..<0xA0).contains(byte) ? TextEncoding.windows1252Letters[Int(byte) - 0x80] : UInt32(byte)
    }

    private static func utf16(_ bytes: Span<UInt8>, _ index: inout Int, _ isBigEndian: Bool) -> UInt32? {
        guard let first = unit(bytes, &index, size: 2, isBigEndian) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return first }
        guard let second = unit(bytes, &index, size: 2, isBigEndian), (0xDC00..<0xE000).contains(second) else {
            return nil
        }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func unit(_ bytes: Span<UInt8>, _ index: inout Int, size: Int, _ isBigEndian: Bool) -> UInt32? {
        guard index + size <= bytes.count else { return nil }
        var value: UInt32 = 0
        for place in 0..<size {
            value = value << 8 | UInt32(bytes[index + (isBigEndian ? place : size - 1 - place)])
        }
        index += size
        return value
    }
}
