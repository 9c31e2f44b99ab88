import CMastheadOpenSSL

/// Authenticated encryption: AES with 256 bits in Galois/Counter Mode (NIST SP 800-38D).
///
/// ```swift
/// let sealed = try AESGCM.seal(plain, key: key, nonce: nonce, associatedData: header)
/// let opened = try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: header)
/// ```
///
/// Two messages under one key must never have the same nonce: with random ones, seal at most 2³² under one key
/// (SP 800-38D, section 8.3).
package enum AESGCM {
    /// How many bytes a key has.
    package static let keySize = 32

    /// How many bytes a nonce has.
    package static let nonceSize = 12

    /// How many bytes the tag behind the ciphertext has.
    package static let tagSize = 16

    /// The longest message, in bytes: far below the mode's own limit.
    package static let maximumCount = 1 << 30

    /// Encrypts.
    ///
    /// - Parameters:
    ///   - plain: The message; it may be empty.
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, never used with this key before.
    ///   - associatedData: What stays readable and is authenticated with it.
    /// - Returns: The ciphertext, as long as the message, and the tag behind it.
    /// - Throws: ``CryptoError/invalidInput(_:)`` for a key or a nonce of another length.
    package static func seal(
        _ plain: SecretBytes,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try check(key: key, nonce: nonce, count: plain.count, associatedData)
        let context = try CipherContext(key: key, nonce: nonce, isSealing: true)
        try context.authenticate(associatedData)
        var sealed = [UInt8](repeating: 0, count: plain.count)
        try plain.withBytes { (input) throws(CryptoError) in
            try context.update(input, into: &sealed)
        }
        try context.finish()
        return sealed + (try context.tag())
    }

    /// Decrypts, if nothing of it was changed.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext and its tag.
    ///   - key: The key it was sealed with.
    ///   - nonce: The nonce it was sealed with.
    ///   - associatedData: What was authenticated with it.
    /// - Returns: The message.
    /// - Throws: ``CryptoError/notAuthentic`` if one byte of it, of the key, the nonce or the associated data is another.
    package static func open(
        _ sealed: [UInt8],
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8] = []
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count >= tagSize else { throw .notAuthentic }
        let count = sealed.count - tagSize
        try check(key: key, nonce: nonce, count: count, associatedData)
        let context = try CipherContext(key: key, nonce: nonce, isSealing: false)
        try context.authenticate(associatedData)
        // What was decrypted before the tag was found wrong is wiped with the bytes.
        return try SecretBytes(count: count) { (output) throws(CryptoError) in
            try context.update(Array(sealed[..<count]), into: output)
            try context.expectTag(Array(sealed[count...]))
            do throws(CryptoError) {
                try context.finish()
            } catch {
                throw .notAuthentic
            }
        }
    }

    private static func check(
        key: SecretBytes,
        nonce: [UInt8],
        count: Int,
        _ associatedData: [UInt8]
    ) throws(CryptoError) {
        guard key.count == keySize else { throw .invalidInput("a key of AES-256 has 32 bytes") }
        guard nonce.count == nonceSize else { throw .invalidInput("a nonce has 12 bytes") }
        guard count <= maximumCount, associatedData.count <= maximumCount else {
            throw .invalidInput("a message has at most \(maximumCount) bytes")
        }
    }
}
