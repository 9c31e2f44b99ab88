extension [UInt8] {
    /// Whether a byte is among them: found by eights.
    func hasByte(_ byte: UInt8) -> Bool {
        withUnsafeBytes { bytes in
            let ones: UInt64 = 0x0101_0101_0101_0101
            let pattern = ones &* UInt64(byte)
            var index = 0
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ pattern
                // A byte that was the same is zero now, and only at or below a zero does the subtraction borrow.
                if (word &- ones) & ~word & (ones << 7) != 0 { return true }
                index += 8
            }
            return bytes[index...].contains(byte)
        }
    }
}
