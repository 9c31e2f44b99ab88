import MastheadCrypto

/// How much work it is to make a key of a passphrase, with numbers that are safe to do.
package struct PassphraseCost: Sendable, Hashable {
    /// What a new file gets: 128 MiB, as OWASP advises.
    package static let standard = PassphraseCost(logarithmicCost: 17)

    /// What only a test should take.
    package static let low = PassphraseCost(logarithmicCost: 10)

    /// What a file may ask for at most, whoever wrote it.
    package static let maximumMemory = 256 << 20

    /// How many blocks may be mixed in all.
    package static let maximumWork = 1 << 22

    let logarithmicCost: Int
    let blockSize: Int
    let parallelism: Int

    private init(logarithmicCost: Int) {
        self.logarithmicCost = logarithmicCost
        blockSize = 8
        parallelism = 1
    }

    /// Takes the numbers of a file.
    ///
    /// - Throws: ``TokenStoreError/damaged(reason:)`` unless they can be done in the memory and the time there is.
    package init(logarithmicCost: UInt8, blockSize: UInt8, parallelism: UInt8) throws(TokenStoreError) {
        let cost = Int(logarithmicCost)
        let size = Int(blockSize)
        let count = Int(parallelism)
        // Bounded first, so that nothing overflows.
        guard 10...20 ~= cost, 1...32 ~= size, 1...16 ~= count,
            (128 * size) << cost <= Self.maximumMemory, (size * count) << cost <= Self.maximumWork
        else { throw .damaged(reason: "it asks for more work, or less, than a passphrase is given") }
        self.logarithmicCost = cost
        self.blockSize = size
        self.parallelism = count
    }

    /// The memory it takes, in bytes, but for a little.
    package var memory: Int { (128 * blockSize) << logarithmicCost }

    /// How many blocks are mixed in all.
    package var work: Int { (blockSize * parallelism) << logarithmicCost }

    /// Makes the key; takes time and memory.
    func key(of passphrase: Secret, salt: [UInt8]) throws(TokenStoreError) -> SecretBytes {
        do throws(CryptoError) {
            return try Scrypt(logarithmicCost: logarithmicCost, blockSize: blockSize, parallelism: parallelism)
                .key(of: SecretBytes(Array(passphrase.value.utf8)), salt: salt)
        } catch {
            throw .inaccessible(reason: "no key can be made of the passphrase: \(error)")
        }
    }
}
