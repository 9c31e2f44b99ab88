#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension [UInt8] {
    /// Whether a byte is among them: found by the C library, which looks at many at once.
    func hasByte(_ byte: UInt8) -> Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, Int32(byte), bytes.count) != nil
        }
    }
}
