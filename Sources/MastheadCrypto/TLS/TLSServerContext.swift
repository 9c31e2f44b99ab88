import CMastheadOpenSSL

/// What a TLS server agrees to with every client, and the sessions that its clients may go on with.
package final class TLSServerContext: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the context is never changed after its making; making connections of it from
    // several threads is what OpenSSL allows, and it guards the sessions it keeps.
    let handle: OpaquePointer
    /// The protocols, each with its length before it, as ALPN writes them (RFC 7301).
    fileprivate let protocols: UnsafeMutableBufferPointer<UInt8>
    fileprivate let staple: [UInt8]?

    /// `SSL_OP_NO_TICKET`, a macro that Swift can't read.
    private static let withoutTickets: UInt64 = 1 << 14

    /// Makes a context.
    ///
    /// - Parameter settings: What it shows and agrees to.
    /// - Throws: An error if the key is not the certificate's.
    package init(_ settings: TLSServerSettings) throws(CryptoError) {
        guard let handle = SSL_CTX_new(TLS_server_method()) else { throw .last("SSL_CTX_new") }
        self.handle = handle
        let list = settings.protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
        protocols = .allocate(capacity: list.count)
        _ = protocols.initialize(from: list)
        staple = settings.staple
        try setVersions(settings)
        try setIdentity(settings)
        try setResumption(settings.resumption)
        if let keys = settings.ticketKeys { try setTicketKeys(keys) }
        if let authorities = settings.clientAuthorities { try demandCertificate(of: authorities) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        SSL_CTX_set_alpn_select_cb(handle, selectProtocol, context)
        SSL_CTX_set_info_callback(handle, TLSServerConnection.noteAlert)
        if staple != nil {
            _ = masthead_openssl_SSL_CTX_set_tlsext_status_cb_status(handle, giveStaple)
            _ = masthead_openssl_SSL_CTX_set_tlsext_status_arg_pointer(handle, context)
        }
    }

    /// Makes a context of an identity that is served with its issuer, for the versions 1.2 and 1.3.
    package convenience init(_ identity: Identity, protocols: [String] = ["http/1.1"]) throws(CryptoError) {
        var settings = TLSServerSettings(identity)
        settings.protocols = protocols
        try self.init(settings)
    }

    deinit {
        SSL_CTX_free(handle)
        protocols.deallocate()
    }

    private func setVersions(_ settings: TLSServerSettings) throws(CryptoError) {
        // What came before 1.2 signs with SHA-1, which OpenSSL allows on its lowest level alone.
        if settings.minimumVersion.rawValue < TLSServerSettings.Version.tls12.rawValue {
            SSL_CTX_set_security_level(handle, 0)
        }
        guard
            masthead_openssl_SSL_CTX_set_min_proto_version_int(handle, settings.minimumVersion.rawValue) == 1,
            masthead_openssl_SSL_CTX_set_max_proto_version_int(handle, settings.maximumVersion.rawValue) == 1
        else { throw .last("SSL_CTX_set_min_proto_version") }
    }

    private func setIdentity(_ settings: TLSServerSettings) throws(CryptoError) {
        guard SSL_CTX_use_certificate(handle, settings.identity.certificate.handle) == 1 else {
            throw .last("SSL_CTX_use_certificate")
        }
        guard SSL_CTX_use_PrivateKey(handle, settings.identity.key.handle) == 1,
            SSL_CTX_check_private_key(handle) == 1
        else { throw .last("SSL_CTX_use_PrivateKey") }
        for certificate in settings.chain {
            guard masthead_openssl_SSL_CTX_add1_chain_cert_x509(handle, certificate.handle) == 1 else {
                throw .last("SSL_CTX_add1_chain_cert")
            }
        }
    }

    private func setResumption(_ resumption: TLSServerSettings.Resumption) throws(CryptoError) {
        let isOff = resumption == .none
        let mode = isOff ? SSL_SESS_CACHE_OFF : SSL_SESS_CACHE_SERVER
        _ = masthead_openssl_SSL_CTX_set_session_cache_mode_int(handle, Int(mode))
        if resumption != .tickets { SSL_CTX_set_options(handle, Self.withoutTickets) }
        guard !isOff || SSL_CTX_set_num_tickets(handle, 0) == 1 else { throw .last("SSL_CTX_set_num_tickets") }
        // Without it a server that demands certificates takes no session up again.
        let name = Array("masthead".utf8)
        guard SSL_CTX_set_session_id_context(handle, name, UInt32(name.count)) == 1 else {
            throw .last("SSL_CTX_set_session_id_context")
        }
    }

    private func setTicketKeys(_ keys: [UInt8]) throws(CryptoError) {
        // OpenSSL copies them.
        var keys = keys
        let result = masthead_openssl_SSL_CTX_set_tlsext_ticket_keys_bytes(handle, &keys, keys.count)
        guard result == 1 else { throw .last("SSL_CTX_set_tlsext_ticket_keys") }
    }

    private func demandCertificate(of authorities: [Certificate]) throws(CryptoError) {
        let store = SSL_CTX_get_cert_store(handle)
        for authority in authorities {
            guard X509_STORE_add_cert(store, authority.handle) == 1,
                SSL_CTX_add_client_CA(handle, authority.handle) == 1
            else { throw .last("X509_STORE_add_cert") }
        }
        SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    }
}

private func context(_ pointer: UnsafeMutableRawPointer?) -> TLSServerContext? {
    pointer.map { Unmanaged<TLSServerContext>.fromOpaque($0).takeUnretainedValue() }
}

private func selectProtocol(
    _ connection: OpaquePointer?,
    _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?,
    _ wanted: UnsafePointer<UInt8>?,
    _ wantedCount: UInt32,
    _ pointer: UnsafeMutableRawPointer?
) -> Int32 {
    guard let selected, let selectedCount, let offered = context(pointer)?.protocols else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
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

private func giveStaple(_ connection: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) -> Int32 {
    guard let staple = context(pointer)?.staple, let copy = masthead_openssl_memdup_bytes(staple, staple.count) else {
        return SSL_TLSEXT_ERR_NOACK
    }
    // The connection owns the copy from now on.
    let bytes = copy.assumingMemoryBound(to: UInt8.self)
    _ = masthead_openssl_SSL_set_tlsext_status_ocsp_resp_bytes(connection, bytes, staple.count)
    return SSL_TLSEXT_ERR_OK
}
