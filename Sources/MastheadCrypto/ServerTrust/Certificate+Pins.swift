import CMastheadOpenSSL

extension Certificate {
    /// Takes part in a certificate that OpenSSL has.
    convenience init?(sharing handle: OpaquePointer?) {
        guard let handle, X509_up_ref(handle) == 1 else { return nil }
        self.init(handle)
    }

    /// The SHA-256 digest of the public key with its algorithm (SubjectPublicKeyInfo, RFC 5280, section 4.1).
    package func publicKeyDigest() throws(CryptoError) -> [UInt8] {
        try Digest.sha256(publicKeyDER()).bytes
    }

    /// The SHA-256 digest of the whole certificate in DER.
    package func digest() throws(CryptoError) -> [UInt8] {
        try Digest.sha256(der()).bytes
    }
}
