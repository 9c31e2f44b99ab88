import CMastheadOpenSSL

/// Where OpenSSL keeps what belongs to a connection, a session or a context: each holds a reference, gives it up when it
/// is freed, and takes another when it is copied, as a session is for each ticket of TLS 1.3.
enum TrustIndices {
    /// The ``TLSPeer`` of a connection.
    static let peer = make(CRYPTO_EX_INDEX_SSL)
    /// The ``VerifiedChain`` of a session.
    static let chain = make(CRYPTO_EX_INDEX_SSL_SESSION)
    /// The ``SessionTerm`` of a session.
    static let term = make(CRYPTO_EX_INDEX_SSL_SESSION)
    /// The judge of a context.
    static let judge = make(CRYPTO_EX_INDEX_SSL_CTX)

    /// -1 if OpenSSL has no room: then nothing can be kept, and nothing is found.
    private static func make(_ kind: Int32) -> Int32 {
        CRYPTO_get_ex_new_index(
            kind,
            0,
            nil,
            nil,
            { _, _, source, _, _, _ in
                if let held = source?.pointee { _ = Unmanaged<AnyObject>.fromOpaque(held).retain() }
                return 1
            },
            { _, held, _, _, _, _ in
                if let held { Unmanaged<AnyObject>.fromOpaque(held).release() }
            }
        )
    }
}
