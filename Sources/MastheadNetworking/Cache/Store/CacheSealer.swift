import FoundationEssentials
import MastheadCrypto

/// Seals what goes into a partition's file, and opens what comes out of it: AES-256-GCM, and HMAC-SHA-256 for what is
/// looked up.
///
/// Each sealed piece is bound to its place, so that one cannot be put in the place of another. Its form: a nonce of 12
/// random bytes, then the ciphertext and its tag. A file's pieces are far fewer than the 2³² that a key is good for.
struct CacheSealer: Sendable {
    private let key: SecretBytes
    private let lookupKey: [UInt8]

    init(key: SecretBytes) throws(CryptoError) {
        self.key = try key.derived(for: "payload")
        // HMAC takes its key as a sequence; this one tells nothing of the other.
        lookupKey = try key.derived(for: "lookup").withBytes { Array($0) }
    }

    /// What stands for a text in an index.
    func index(_ text: [UInt8]) throws(CryptoError) -> [UInt8] {
        try AuthenticationCode(of: text, key: lookupKey).bytes
    }

    /// Seals a piece.
    ///
    /// - Parameters:
    ///   - plain: The piece.
    ///   - place: What tells its place from every other, the row's key and the payload's number in it.
    /// - Returns: The sealed piece.
    /// - Throws: An error if there is no randomness, or the piece is too long.
    func seal(_ plain: Data, in place: [UInt8]) throws(CryptoError) -> Data {
        let nonce = try SecureRandom.bytes(count: AESGCM.nonceSize)
        let sealed = try AESGCM.seal(SecretBytes(plain), key: key, nonce: nonce, associatedData: place)
        return Data(nonce) + Data(sealed)
    }

    /// Opens a piece.
    ///
    /// - Throws: ``CryptoError/notAuthentic`` if it was changed, or comes from another place or another user's file.
    func open(_ sealed: Data, in place: [UInt8]) throws(CryptoError) -> Data {
        guard sealed.count >= AESGCM.nonceSize else { throw .notAuthentic }
        let nonce = Array(sealed.prefix(AESGCM.nonceSize))
        let plain = try AESGCM.open(
            Array(sealed.dropFirst(AESGCM.nonceSize)),
            key: key,
            nonce: nonce,
            associatedData: place
        )
        return plain.withBytes { Data($0) }
    }
}
