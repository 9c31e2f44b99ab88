/// Writes a text whose white space is run together.
struct PlainTextWriter: ~Copyable {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    /// Whether a space comes before what comes next.
    var isSpaceDue = false

    /// Takes the place to write to, which has room for all.
    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    /// Writes bytes of which none is white space but for single spaces within.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        appendSpace()
        guard count + bytes.count <= buffer.count else { return }
        count = buffer[count...].update(fromContentsOf: bytes)
    }

    /// Writes a character that is not white space.
    mutating func append(_ scalar: Unicode.Scalar) {
        appendSpace()
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { put(byte) }
    }

    private mutating func appendSpace() {
        if isSpaceDue, count > 0 { put(0x20) }
        isSpaceDue = false
    }

    private mutating func put(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count += 1
    }
}

extension HTMLScanner {
    /// Writes what the rest says to a reader.
    mutating func writeText(to writer: inout PlainTextWriter) {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "<"): writeMarkup(to: &writer)
            case UInt8(ascii: "&"):
                if let scalar = takeEntity() {
                    if HTMLScanner.isSpace(scalar) { writer.isSpaceDue = true } else { writer.append(scalar) }
                } else {
                    writeByte(to: &writer)
                }
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                writer.isSpaceDue = true
                index += 1
            default:
                let start = index
                skipWords()
                bytes.withUnsafeBufferPointer { writer.append(UnsafeBufferPointer(rebasing: $0[start..<index])) }
            }
        }
    }

    private mutating func writeMarkup(to writer: inout PlainTextWriter) {
        switch skipMarkup() {
        case .none: writeByte(to: &writer)
        case .tag(let name, let isClosing):
            // What parts no word holds text.
            guard !HTMLTag.isInline(name) else { return }
            writer.isSpaceDue = true
            if !isClosing, let raw = HTMLTag.raw(name) { skipRaw(raw) }
        case .other: break
        }
    }

    private mutating func writeByte(to writer: inout PlainTextWriter) {
        bytes.withUnsafeBufferPointer { writer.append(UnsafeBufferPointer(rebasing: $0[index..<(index + 1)])) }
        index += 1
    }
}
