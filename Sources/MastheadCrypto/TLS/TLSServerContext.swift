import CMastheadOpenSSL

/// What a TLS server agrees to with every client: its identity, the versions 1.2 and 1.3, and the protocols over them.
package final class TLSServerContext: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the context is never changed after its making; making connections of it from
    // several threads is what OpenSSL allows.
    let handle: OpaquePointer
    /// The protocols, each with its length before it, as ALPN writes them (RFC 7301).
    fileprivate let protocols: UnsafeMutableBufferPointer<UInt8>

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - identity: The certificate and its key.
    ///   - protocols: What ALPN chooses from, the dearest first; a client that offers none of them is turned away, one
    ///     that offers nothing gets the connection.
    /// - Throws: An error if the key is not the certificate's.
    package init(_ identity: Identity, protocols: [String] = ["http/1.1"]) throws(CryptoError) {
        guard let handle = SSL_CTX_new(TLS_server_method()) else { throw .last("SSL_CTX_new") }
        self.handle = handle
        let list = protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        self.protocols = .allocate(capacity: list.count)
        _ = self.protocols.initialize(from: list)
        guard masthead_openssl_SSL_CTX_set_min_proto_version_int(handle, TLS1_2_VERSION) == 1 else {
            throw .last("SSL_CTX_set_min_proto_version")
        }
        guard SSL_CTX_use_certificate(handle, identity.certificate.handle) == 1 else {
            throw .last("SSL_CTX_use_certificate")
        }
        guard SSL_CTX_use_PrivateKey(handle, identity.key.handle) == 1, SSL_CTX_check_private_key(handle) == 1 else {
            throw .last("SSL_CTX_use_PrivateKey")
        }
        if let issuer = identity.issuer {
            guard masthead_openssl_SSL_CTX_add1_chain_cert_x509(handle, issuer.handle) == 1 else {
                throw .last("SSL_CTX_add1_chain_cert")
            }
        }
        SSL_CTX_set_alpn_select_cb(handle, selectProtocol, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_CTX_free(handle)
        protocols.deallocate()
    }
}

private func selectProtocol(
    _ connection: OpaquePointer?,
    _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?,
    _ wanted: UnsafePointer<UInt8>?,
    _ wantedCount: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let selected, let selectedCount, let context else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let offered = Unmanaged<TLSServerContext>.fromOpaque(context).takeUnretainedValue().protocols
    var chosen: UnsafeMutablePointer<UInt8>?
    let result = SSL_select_next_proto(
        &chosen,
        selectedCount,
        offered.baseAddress,
        UInt32(offered.count),
        wanted,
        wantedCount
    )
    guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    selected.pointee = UnsafePointer(chosen)
    return SSL_TLSEXT_ERR_OK
}
