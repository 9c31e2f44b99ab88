import CMastheadOpenSSL

/// A key made of a passphrase, so that each guess costs memory and time (RFC 7914).
///
/// ```swift
/// let key = try Scrypt(logarithmicCost: 17, blockSize: 8, parallelism: 1).key(of: passphrase, salt: salt)
/// ```
///
/// It takes ``memory`` bytes and, at the numbers above, some tenths of a second: never on a thread of Swift's own.
package struct Scrypt: Sendable, Hashable {
    /// The logarithm to base 2 of how often blocks are mixed: `N` is 2 to this.
    package let logarithmicCost: Int

    /// How many blocks of 128 bytes are mixed at once: `r`.
    package let blockSize: Int

    /// How often all of it is done: `p`.
    package let parallelism: Int

    /// The memory it takes, in bytes: 128 × N × r, and 128 × p × r beside it.
    package var memory: Int { 128 * blockSize * ((1 << logarithmicCost) + parallelism + 2) }

    /// Takes numbers that may come from anywhere.
    ///
    /// - Throws: ``CryptoError/invalidInput(_:)`` for numbers that the RFC does not allow, or that no machine can do.
    package init(logarithmicCost: Int, blockSize: Int, parallelism: Int) throws(CryptoError) {
        guard 1...24 ~= logarithmicCost, 1...64 ~= blockSize, 1...64 ~= parallelism,
            logarithmicCost < 16 * blockSize
        else { throw .invalidInput("these are no numbers for scrypt") }
        self.logarithmicCost = logarithmicCost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Makes the key.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase's bytes.
    ///   - salt: Random bytes, others for each passphrase: 16 are enough.
    ///   - count: How many bytes the key is to have.
    /// - Returns: The key.
    /// - Throws: An error if there is not enough memory.
    package func key(of passphrase: SecretBytes, salt: [UInt8], count: Int = 32) throws(CryptoError) -> SecretBytes {
        try SecretBytes(count: count) { (output) throws(CryptoError) in
            let isDone = passphrase.withBytes { passphrase in
                EVP_PBE_scrypt(
                    passphrase.assumingMemoryBound(to: CChar.self).baseAddress,
                    passphrase.count,
                    salt,
                    salt.count,
                    UInt64(1) << logarithmicCost,
                    UInt64(blockSize),
                    UInt64(parallelism),
                    // OpenSSL's own limit is 32 MiB, less than half of what a passphrase should have.
                    UInt64(memory),
                    output.assumingMemoryBound(to: UInt8.self).baseAddress,
                    output.count
                )
            }
            guard isDone == 1 else { throw .last("EVP_PBE_scrypt") }
        }
    }
}
