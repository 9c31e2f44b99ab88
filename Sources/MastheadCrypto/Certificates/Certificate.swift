import CMastheadOpenSSL

/// A certificate (X.509, RFC 5280).
package final class Certificate: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the certificate is never changed after its signing, and its reference count is
    // atomic.
    let handle: OpaquePointer

    /// Takes over a signed certificate.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        X509_free(handle)
    }

    /// The certificate as PEM.
    package func pem() throws(CryptoError) -> String {
        let memory = try MemoryBIO()
        guard PEM_write_bio_X509(memory.handle, handle) == 1 else { throw .last("PEM_write_bio_X509") }
        return memory.text
    }
}
