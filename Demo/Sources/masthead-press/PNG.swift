/// Writes a canvas as a PNG with a palette of sixteen colours (PNG, third edition).
enum PNG {
    static func encode(_ canvas: Canvas, palette: [UInt32]) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<canvas.height {
            rows.append(0)  // filter: none
            for x in stride(from: 0, to: canvas.width, by: 2) {
                let right = x + 1 < canvas.width ? canvas[x + 1, y] : 0
                rows.append(canvas[x, y] << 4 | right)
            }
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", bigEndian(UInt32(canvas.width)) + bigEndian(UInt32(canvas.height)) + [4, 3, 0, 0, 0])
        file += chunk("PLTE", palette.flatMap { Array(bigEndian($0).dropFirst()) })
        file += chunk(
            "IDAT",
            [0x78, 0x01] + Deflate.compress(rows, rowLength: 1 + (canvas.width + 1) / 2) + adler(rows)
        )
        file += chunk("IEND", [])
        return file
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + content + bigEndian(crc(content))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func adler(_ bytes: [UInt8]) -> [UInt8] {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return bigEndian(high << 16 | low)
    }
}
