/// Compresses what repeats itself from one byte, four bytes or one row to the next.
///
/// One block with the fixed code of RFC 1951, section 3.2.6: enough for flat pictures, and short enough to read.
enum Deflate {
    static func compress(_ bytes: [UInt8], rowLength: Int) -> [UInt8] {
        var output = BitWriter()
        output.write(0b011, count: 3)  // the last block, fixed code
        let distances = [1, 2, 4, rowLength, 2 * rowLength, 4 * rowLength, 8 * rowLength]
        var place = 0
        while place < bytes.count {
            var best = (length: 0, distance: 0)
            for distance in distances where distance <= place {
                var length = 0
                while length < 258, place + length < bytes.count,
                    bytes[place + length] == bytes[place + length - distance]
                {
                    length += 1
                }
                if length > best.length { best = (length, distance) }
            }
            if best.length >= 4 {
                write(length: best.length, distance: best.distance, to: &output)
                place += best.length
            } else {
                write(symbol: Int(bytes[place]), to: &output)
                place += 1
            }
        }
        write(symbol: 256, to: &output)
        return output.finish()
    }

    private static func write(symbol: Int, to output: inout BitWriter) {
        switch symbol {
        case ...143: output.writeReversed(0x30 + symbol, count: 8)
        case ...255: output.writeReversed(0x190 + symbol - 144, count: 9)
        case ...279: output.writeReversed(symbol - 256, count: 7)
        default: output.writeReversed(0xC0 + symbol - 280, count: 8)
        }
    }

    private static func write(length: Int, distance: Int, to output: inout BitWriter) {
        let lengths = steps(first: 3, runs: [8, 4, 4, 4, 4, 4])
        if length == 258 {
            write(symbol: 285, to: &output)
        } else if let code = lengths.lastIndex(where: { $0.start <= length }) {
            write(symbol: 257 + code, to: &output)
            output.write(length - lengths[code].start, count: lengths[code].bits)
        }
        let distances = steps(first: 1, runs: [4] + [Int](repeating: 2, count: 13))
        if let code = distances.lastIndex(where: { $0.start <= distance }) {
            output.writeReversed(code, count: 5)
            output.write(distance - distances[code].start, count: distances[code].bits)
        }
    }

    /// Where each code starts and how many bits follow it: `runs[n]` codes have `n` bits.
    private static func steps(first: Int, runs: [Int]) -> [(start: Int, bits: Int)] {
        var start = first
        var steps: [(start: Int, bits: Int)] = []
        for (bits, count) in runs.enumerated() {
            for _ in 0..<count {
                steps.append((start, bits))
                start += 1 << bits
            }
        }
        return steps
    }
}

/// Packs bits into bytes, the lowest first.
struct BitWriter {
    private var bytes: [UInt8] = []
    private var buffer = 0
    private var filled = 0

    mutating func write(_ value: Int, count: Int) {
        buffer |= value << filled
        filled += count
        while filled >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            filled -= 8
        }
    }

    /// Writes a Huffman code, which goes the other way round.
    mutating func writeReversed(_ code: Int, count: Int) {
        for bit in stride(from: count - 1, through: 0, by: -1) { write(code >> bit & 1, count: 1) }
    }

    mutating func finish() -> [UInt8] {
        if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer)) }
        return bytes
    }
}
