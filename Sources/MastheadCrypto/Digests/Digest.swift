import CMastheadOpenSSL

/// The digest of some bytes.
///
/// ```swift
/// let signature = try Digest.md5("nonce" + secret + path).hexadecimal
/// ```
///
/// MD5 and SHA-1 protect nothing any more; they are here because servers ask for them.
package struct Digest: Sendable, Hashable, CustomStringConvertible {
    /// How a digest is made.
    package enum Algorithm: String, Sendable, CaseIterable {
        /// RFC 1321: 16 bytes.
        case md5 = "MD5"
        /// FIPS 180-4: 20 bytes.
        case sha1 = "SHA1"
        /// FIPS 180-4: 32 bytes.
        case sha256 = "SHA256"
    }

    /// The digest's bytes.
    package let bytes: [UInt8]

    /// The digest in lower-case hexadecimal digits.
    package var hexadecimal: String { bytes.hexadecimal }

    package var description: String { hexadecimal }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Digests bytes that are in memory; for more than that, see ``DigestStream``.
    package init(_ algorithm: Algorithm, of bytes: some Sequence<UInt8>) throws(CryptoError) {
        let size = Int(EVP_MAX_MD_SIZE)
        var count = 0
        let digest: [UInt8] = bytes.withBytes { input in
            [UInt8](unsafeUninitializedCapacity: size) { output, filled in
                let isDone = EVP_Q_digest(
                    nil,
                    algorithm.rawValue,
                    nil,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    &count
                )
                filled = isDone == 1 ? count : 0
            }
        }
        // A system may forbid MD5 (FIPS mode).
        guard !digest.isEmpty else { throw .last("EVP_Q_digest(\(algorithm.rawValue))") }
        self.bytes = digest
    }

    /// The MD5 digest of a text in UTF-8.
    package static func md5(_ text: String) throws(CryptoError) -> Digest { try Digest(.md5, of: text.utf8) }

    /// The SHA-256 digest of bytes.
    package static func sha256(_ bytes: some Sequence<UInt8>) throws(CryptoError) -> Digest {
        let digest: [UInt8] = bytes.withBytes { input in
            [UInt8](unsafeUninitializedCapacity: 32) { output, filled in
                let isDone = masthead_openssl_SHA256_bytes(input.baseAddress, input.count, output.baseAddress)
                filled = isDone == 1 ? 32 : 0
            }
        }
        guard !digest.isEmpty else { throw .last("SHA256") }
        return Digest(bytes: digest)
    }
}

extension Sequence<UInt8> {
    /// The elements in one place, copied only if they are not.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        return Array(self).withUnsafeBytes(body)
    }

    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
