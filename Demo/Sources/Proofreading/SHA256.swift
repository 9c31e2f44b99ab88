import CDemoCrypto

/// The digest SHA-256 of some bytes (FIPS 180-4).
///
/// The demo sums up what it got through libcrypto itself: what checks the kit must not be part of it.
///
/// ```swift
/// SHA256.hex(of: Array("abc".utf8))   // ba7816bf…
/// ```
public enum SHA256 {
    /// The digest as 64 hexadecimal digits.
    public static func hex(of bytes: some Collection<UInt8>) -> String {
        let message = Array(bytes)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        CDemoCrypto.SHA256(message, message.count, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
