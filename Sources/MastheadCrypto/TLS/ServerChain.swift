import CMastheadOpenSSL

/// What a TLS server shows to who asks for nothing else: the handshake's certificates, and the chain made of them.
package struct ServerChain: Sendable {
    /// The certificates as they were sent, the server's own first.
    package let served: [Certificate]

    /// The chain that leads from the server's own to a trusted authority; empty if none does.
    package let built: [Certificate]

    /// Why none does, in OpenSSL's words; `nil` if one does.
    package let problem: String?

    /// Makes a handshake over a connected, blocking socket, which stays its maker's to close, and nothing more.
    ///
    /// A server that breaks the handshake off after its certificates, since it wants to see some of ours for example,
    /// has shown them nonetheless. It blocks. The thread must have `SIGPIPE` blocked or ignored.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - host: The name to ask for (RFC 6066, section 3); an address is asked for by none.
    ///   - isAddress: Whether the host is one.
    ///   - authorities: The path of a PEM file with the authorities to trust; `nil` for the system's.
    /// - Throws: What kept the server from showing any certificate.
    package init(
        descriptor: Int32,
        host: String,
        isAddress: Bool,
        authorities: String?
    ) throws(CryptoError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .last("SSL_CTX_new") }
        defer { SSL_CTX_free(context) }
        // Whatever the server speaks: it is only looked at.
        guard masthead_openssl_SSL_CTX_set_min_proto_version_int(context, TLS1_VERSION) == 1 else {
            throw .last("SSL_CTX_set_min_proto_version")
        }
        let level = SSL_CTX_get_security_level(context)
        SSL_CTX_set_security_level(context, 0)
        let isTrustLoaded =
            authorities.map { SSL_CTX_load_verify_file(context, $0) == 1 }
            ?? (SSL_CTX_set_default_verify_paths(context) == 1)
        guard isTrustLoaded else { throw .last("SSL_CTX_load_verify_file") }
        let seen = Seen(level: level)
        SSL_CTX_set_cert_verify_callback(context, remember, Unmanaged.passUnretained(seen).toOpaque())

        guard let connection = SSL_new(context) else { throw .last("SSL_new") }
        defer { SSL_free(connection) }
        guard SSL_set_fd(connection, descriptor) == 1 else { throw .last("SSL_set_fd") }
        if !isAddress {
            let isNamed = host.withCString { name in
                SSL_ctrl(
                    connection,
                    SSL_CTRL_SET_TLSEXT_HOSTNAME,
                    Int(TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: name)
                )
            }
            guard isNamed == 1 else { throw .last("SSL_set_tlsext_host_name") }
        }
        ERR_clear_error()
        let result = SSL_connect(connection)
        defer { ERR_clear_error() }
        guard !seen.served.isEmpty else {
            let error = SSL_get_error(connection, result)
            throw error == SSL_ERROR_SYSCALL || error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
                ? .openSSL(function: "SSL_connect", reason: "the server did not end the handshake")
                : .last("SSL_connect")
        }
        served = seen.served
        built = seen.built
        problem = seen.problem
    }
}

/// What the handshake's callback has seen, on the handshake's own thread.
private final class Seen {
    /// How weak a key and a signature may be in a chain that is trusted.
    let level: Int32

    var served: [Certificate] = []
    var built: [Certificate] = []
    var problem: String?

    init(level: Int32) {
        self.level = level
    }
}

private func remember(_ store: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let store, let context else { return 0 }
    let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
    seen.served = certificates(of: X509_STORE_CTX_get0_untrusted(store))
    X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(store), seen.level)
    if X509_verify_cert(store) == 1 {
        seen.built = certificates(of: X509_STORE_CTX_get0_chain(store))
    } else {
        let code = X509_STORE_CTX_get_error(store)
        seen.problem = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)"
    }
    // Nothing is sent over this connection, so nobody has to be trusted.
    return 1
}

private func certificates(of stack: OpaquePointer?) -> [Certificate] {
    guard let stack else { return [] }
    // The typed functions are macros over these.
    return (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index in
        guard let certificate = OPENSSL_sk_value(stack, index).map(OpaquePointer.init), X509_up_ref(certificate) == 1
        else { return nil }
        return Certificate(certificate)
    }
}
