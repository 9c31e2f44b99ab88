import CMastheadOpenSSL

/// What OpenSSL writes into memory.
struct MemoryBIO: ~Copyable {
    let handle: OpaquePointer

    init() throws(CryptoError) {
        guard let handle = BIO_new(BIO_s_mem()) else { throw .last("BIO_new") }
        self.handle = handle
    }

    deinit {
        BIO_free(handle)
    }

    /// What has been written so far.
    var text: String {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = masthead_openssl_BIO_get_mem_data_bytes(handle, &bytes)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: max(0, count)), as: UTF8.self)
    }
}
