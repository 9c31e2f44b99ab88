import CDemoZlib

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
        file += chunk("IDAT", deflate(rows))
        file += chunk("IEND", [])
        return file
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        let check = content.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        return bigEndian(UInt32(data.count)) + content + bigEndian(UInt32(check))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        let bound = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
            var length = bound
            // Can only fail for want of memory or of room, and the bound is room enough.
            let code = compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
            count = code == Z_OK ? Int(length) : 0
        }
    }
}
