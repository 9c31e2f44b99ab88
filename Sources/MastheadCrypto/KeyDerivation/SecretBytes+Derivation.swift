import CMastheadOpenSSL

extension SecretBytes {
    /// Makes another key of this one, for one purpose: HMAC with SHA-256 over the purpose (NIST SP 800-108).
    ///
    /// Who has what was derived learns nothing of the key, and of what is derived for another purpose.
    ///
    /// - Parameter purpose: What the key is for; the same one always gives the same 32 bytes.
    /// - Returns: The other key.
    /// - Throws: An error if OpenSSL has no HMAC.
    package func derived(for purpose: String) throws(CryptoError) -> SecretBytes {
        let message = Array(purpose.utf8)
        return try SecretBytes(count: 32) { (output) throws(CryptoError) in
            var count = 0
            let result = withBytes { key in
                EVP_Q_mac(
                    nil,
                    "HMAC",
                    nil,
                    "SHA256",
                    nil,
                    key.baseAddress,
                    key.count,
                    message,
                    message.count,
                    output.assumingMemoryBound(to: UInt8.self).baseAddress,
                    output.count,
                    &count
                )
            }
            guard result != nil, count == output.count else { throw .last("EVP_Q_mac") }
        }
    }
}
