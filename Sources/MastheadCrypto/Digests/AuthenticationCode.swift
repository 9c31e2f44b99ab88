import CMastheadOpenSSL

/// A message authentication code: HMAC with SHA-256 (RFC 2104).
///
/// ```swift
/// let code = try AuthenticationCode(of: message, key: secret)
/// guard code.matches(received) else { throw … }
/// ```
package struct AuthenticationCode: Sendable, CustomStringConvertible {
    /// The code's 32 bytes.
    package let bytes: [UInt8]

    /// The code in lower-case hexadecimal digits.
    package var hexadecimal: String { bytes.hexadecimal }

    package var description: String { hexadecimal }

    /// Makes the code of a message; a key of any length will do, even none.
    package init(of message: some Sequence<UInt8>, key: some Sequence<UInt8>) throws(CryptoError) {
        var count = 0
        bytes = message.withBytes { message in
            // OpenSSL takes a missing key for a mistake, but an empty one is a key.
            let key = Array(key)
            return (key.isEmpty ? [0] : key).withUnsafeBytes { memory in
                [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, filled in
                    let result = EVP_Q_mac(
                        nil,
                        "HMAC",
                        nil,
                        "SHA256",
                        nil,
                        memory.baseAddress,
                        key.count,
                        message.assumingMemoryBound(to: UInt8.self).baseAddress,
                        message.count,
                        output.baseAddress,
                        output.count,
                        &count
                    )
                    filled = result == nil ? 0 : count
                }
            }
        }
        guard !bytes.isEmpty else { throw .last("EVP_Q_mac") }
    }

    /// Whether the other code is the same, found out in a time that does not tell where they differ.
    package func matches(_ other: [UInt8]) -> Bool {
        bytes.count == other.count && CRYPTO_memcmp(bytes, other, bytes.count) == 0
    }
}
