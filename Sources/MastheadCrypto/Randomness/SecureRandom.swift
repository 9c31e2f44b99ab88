import CMastheadOpenSSL

/// Bytes that nobody can foretell.
package enum SecureRandom {
    /// The most that is given at once.
    package static let maximumCount = 1 << 20

    /// Makes random bytes.
    ///
    /// - Throws: An error if the generator has no entropy, or for a count below 0 or above ``maximumCount``: never fewer
    ///   or weaker bytes.
    package static func bytes(count: Int) throws(CryptoError) -> [UInt8] {
        guard (0...maximumCount).contains(count) else {
            throw .invalidInput("\(count) is no count of random bytes: 0 to \(maximumCount)")
        }
        // To make an array of nothing writes to the one empty array that all threads share.
        guard count > 0 else { return [] }
        var isDone = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            isDone = RAND_bytes(memory.baseAddress, Int32(count)) == 1
            filled = isDone ? count : 0
        }
        guard isDone else { throw .last("RAND_bytes") }
        return bytes
    }
}
