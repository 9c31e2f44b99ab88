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

    /// Whose it is, in one line (RFC 4514): control characters are escaped, and what is too long is cut.
    package var subject: String {
        guard let memory = try? MemoryBIO() else { return "" }
        let name = X509_get_subject_name(handle)
        guard masthead_openssl_X509_NAME_print_ex_utf8(memory.handle, name) >= 0 else { return "" }
        return String(memory.text.prefix(Self.maximumSubjectLength))
    }

    private static let maximumSubjectLength = 200
}
