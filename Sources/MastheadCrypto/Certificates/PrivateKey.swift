import CMastheadOpenSSL

/// A private key.
package final class PrivateKey: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the key is never changed after its making, and its reference count is atomic.
    let handle: OpaquePointer

    /// What sort of key it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// On the curve P-256.
        case p256
        /// On the curve P-521.
        case p521
        /// RSA with 2048 bits.
        case rsa2048
        /// RFC 8032.
        case ed25519
    }

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        EVP_PKEY_free(handle)
    }

    /// Makes a new key.
    package static func make(_ kind: Kind) throws(CryptoError) -> PrivateKey {
        let handle =
            switch kind {
            case .p256: masthead_openssl_EVP_EC_gen_name("P-256")
            case .p521: masthead_openssl_EVP_EC_gen_name("P-521")
            case .rsa2048: masthead_openssl_EVP_RSA_gen_bits(2048)
            case .ed25519: masthead_openssl_EVP_PKEY_Q_keygen_name("ED25519")
            }
        guard let handle else { throw .last("EVP_PKEY_keygen(\(kind))") }
        return PrivateKey(handle)
    }

    /// Makes a new key on the curve P-256.
    package static func p256() throws(CryptoError) -> PrivateKey {
        try make(.p256)
    }

    /// The key, or a new one on the curve P-256 where there is none.
    static func orNew(_ key: PrivateKey?) throws(CryptoError) -> PrivateKey {
        if let key { key } else { try p256() }
    }

    /// The digest that a signature with this key is made of; `nil` where the algorithm has its own.
    var signatureDigest: OpaquePointer? {
        EVP_PKEY_get_base_id(handle) == EVP_PKEY_ED25519 ? nil : EVP_sha256()
    }

    /// The key as PEM (PKCS #8), unencrypted: for a file that only its owner may read.
    package func pem() throws(CryptoError) -> String {
        let memory = try MemoryBIO()
        guard PEM_write_bio_PrivateKey(memory.handle, handle, nil, nil, 0, nil, nil) == 1 else {
            throw .last("PEM_write_bio_PrivateKey")
        }
        return memory.text
    }
}
