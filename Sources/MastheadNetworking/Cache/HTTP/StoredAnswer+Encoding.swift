import FoundationEssentials
import MastheadTransport

/// The head as bytes, to be kept in a database or a file.
///
/// A version, then each part in its order: numbers as LEB128, dates as the bits of their seconds, texts in UTF-8 behind
/// their length. The key is not among them: its URL may hold a secret, and whoever reads the bytes looked for it by that.
extension StoredAnswer {
    /// What the bytes begin with; the last one is the form's version.
    private static let signature: [UInt8] = [0x4D, 0x41, 0x02]

    /// The bytes; ``init(decoding:key:)`` makes the same answer of them.
    package func encoded() -> [UInt8] {
        var writer = HeadWriter(bytes: Self.signature)
        writer.bytes.reserveCapacity(
            64 + headers.lines.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        )
        writer.number(status)
        writer.bytes.append(isOutdated ? 1 : 0)
        writer.date(requestTime)
        writer.date(responseTime)
        writer.number(variant.names.count)
        variant.names.forEach { writer.text($0) }
        writer.number(variant.digest.count)
        writer.bytes += variant.digest
        writer.number(headers.lines.count)
        for field in headers.lines {
            writer.text(field.name)
            writer.text(field.value)
        }
        return writer.bytes
    }

    /// Takes bytes for an answer; `nil` if they are none, or of another version.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - key: What the answer was found by.
    package init?(decoding bytes: some Sequence<UInt8>, key: CacheKey) {
        var reader = HeadReader(bytes: Array(bytes))
        guard reader.take(Self.signature), let status = reader.number(), 200...599 ~= status,
            let flag = reader.byte(), flag <= 1, let requestTime = reader.date(), let responseTime = reader.date(),
            let names = reader.list({ $0.text() }), let digest = reader.number().flatMap({ reader.bytes(count: $0) }),
            let variant = VariantKey(stored: names, digest: digest),
            let lines = reader.list({ reader in
                reader.text().flatMap { name in reader.text().map { HeaderField(name: name, value: $0) } }
            }), reader.isAtEnd
        else { return nil }
        self.init(
            key: key,
            variant: variant,
            status: status,
            headers: HTTPHeaders(lines: lines),
            requestTime: requestTime,
            responseTime: responseTime,
            isOutdated: flag == 1
        )
    }
}

/// Writes the parts of a head.
private struct HeadWriter {
    var bytes: [UInt8]

    mutating func number(_ value: Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func date(_ value: Date) {
        let bits = value.timeIntervalSinceReferenceDate.bitPattern
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    mutating func text(_ value: String) {
        number(value.utf8.count)
        bytes += value.utf8
    }
}

/// Reads the parts of a head; each is `nil` if the bytes end before it does.
private struct HeadReader {
    private let source: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) {
        source = bytes
    }

    var isAtEnd: Bool { place == source.count }

    mutating func take(_ expected: [UInt8]) -> Bool {
        bytes(count: expected.count) == expected
    }

    mutating func byte() -> UInt8? {
        guard place < source.count else { return nil }
        defer { place += 1 }
        return source[place]
    }

    /// A number that is not negative; in no more bytes than it needs.
    mutating func number() -> Int? {
        var value: UInt = 0
        for shift in stride(from: UInt(0), to: 63, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : Int(exactly: value) }
        }
        return nil
    }

    mutating func bytes(count: Int) -> [UInt8]? {
        guard count <= source.count - place else { return nil }
        defer { place += count }
        return Array(source[place..<place + count])
    }

    mutating func date() -> Date? {
        guard let bytes = bytes(count: 8) else { return nil }
        let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let seconds = Double(bitPattern: bits)
        // Some thousand years to both sides, which no calculation makes too much of.
        guard seconds.magnitude < 1e11 else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    mutating func text() -> String? {
        guard let count = number(), count <= source.count - place else { return nil }
        defer { place += count }
        return String(validating: source[place..<place + count], as: UTF8.self)
    }

    /// A count, and as many parts; what would not fit is not even begun.
    mutating func list<Part>(_ part: (inout HeadReader) -> Part?) -> [Part]? {
        guard let count = number(), count <= source.count - place else { return nil }
        var parts: [Part] = []
        for _ in 0..<count {
            guard let next = part(&self) else { return nil }
            parts.append(next)
        }
        return parts
    }
}
