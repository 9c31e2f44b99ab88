import FoundationEssentials

/// Makes gzip members by hand, so that no compressor is needed and each byte is known.
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// A member that stores `content` as it is.
    static func member(_ content: [UInt8]) -> Data {
        var bytes = header
        let count = UInt16(content.count)
        bytes += [1] + littleEndian(count) + littleEndian(~count) + content
        return Data(bytes + littleEndian(crc32(content)) + littleEndian(UInt32(content.count)))
    }

    /// A member of about a fortieth of a percent of the zero bytes it stands for.
    static func zeros(runs: Int) -> Data {
        var bits = BitWriter()
        bits.write(0b011, count: 3)  // the last block, with the fixed codes
        bits.writeCode(0b0011_0000, count: 8)  // the literal 0
        for _ in 0..<runs {
            bits.writeCode(0b1100_0101, count: 8)  // 258 times
            bits.writeCode(0, count: 5)  // what stood one byte before
        }
        bits.writeCode(0, count: 7)  // the end
        let size = 1 + runs * 258
        let check = crc32([UInt8](repeating: 0, count: size))
        return Data(header + bits.bytes + littleEndian(check) + littleEndian(UInt32(size)))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: UInt16, count: Int) {
        for index in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> index & 1) << used
            used += 1
        }
    }

    /// Codes stand in the stream with their highest bit first (RFC 1951, section 3.1.1).
    mutating func writeCode(_ code: UInt16, count: Int) {
        for index in (0..<count).reversed() { write(code >> index & 1, count: 1) }
    }
}
