import CMastheadOpenSSL

/// A private key.
package final class PrivateKey: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the key is never changed after its making, and its reference count is atomic.
    let handle: OpaquePointer

    private init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        EVP_PKEY_free(handle)
    }

    /// Makes a new key on the curve P-256.
    package static func p256() throws(CryptoError) -> PrivateKey {
        guard let handle = masthead_openssl_EVP_EC_gen_name("P-256") else { throw .last("EVP_EC_gen") }
        return PrivateKey(handle)
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
