import CMastheadOpenSSL

extension Identity {
    /// The certificate, its key and its issuer in one, encrypted (PKCS #12, RFC 7292).
    package func pkcs12(passphrase: String) throws(CryptoError) -> [UInt8] {
        let issuers = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(issuers) }
        if let issuer { OPENSSL_sk_push(issuers, UnsafeRawPointer(issuer.handle)) }
        let (key, certificate) = (key.handle, certificate.handle)
        guard let made = PKCS12_create(passphrase, nil, key, certificate, issuers, 0, 0, 0, 0, 0) else {
            throw .last("PKCS12_create")
        }
        defer { PKCS12_free(made) }
        return try .encoded("i2d_PKCS12") { i2d_PKCS12(made, $0) }
    }
}

extension PrivateKey {
    /// The key as PEM (PKCS #8), encrypted.
    package func pem(passphrase: String) throws(CryptoError) -> String {
        let memory = try MemoryBIO()
        let bytes = Array(passphrase.utf8)
        let count = Int32(bytes.count)
        guard PEM_write_bio_PrivateKey(memory.handle, handle, EVP_aes_256_cbc(), bytes, count, nil, nil) == 1 else {
            throw .last("PEM_write_bio_PrivateKey")
        }
        return memory.text
    }
}
