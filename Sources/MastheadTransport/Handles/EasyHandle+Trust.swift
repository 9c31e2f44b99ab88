import CMastheadCurl
import MastheadCrypto

extension EasyHandle {
    /// Sets whom an exchange of the loop trusts, and what it shows: once, since every exchange has the same.
    func setTrust(of loop: LoopKey) throws(TransportError) {
        let tls = loop.policy.tls
        if tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks {
            guard loop.policy.pins == nil, loop.route.proxy == nil, tls.stapling != .required else {
                throw .setup("any certificate is trusted, so there can't be pins, a proof of revocation or a proxy")
            }
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
        } else {
            try set(CURLOPT_SSL_VERIFYPEER, 1)
            try set(CURLOPT_SSL_VERIFYHOST, 2)
        }
        // libcurl keeps the parsed store of authorities between connections only while there is no folder of them:
        // with it, each new TLS connection parses the system's 140 certificates again.
        try set(CURLOPT_CAPATH, nil)
        if let file = loop.policy.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
        let version = tls.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
        try set(CURLOPT_SSLVERSION, version)
        try set(CURLOPT_SSL_CTX_FUNCTION, judgeServers)
        if let identity = tls.clientIdentity { try setIdentity(identity) }
        guard loop.route.proxy != nil else { return }
        try set(CURLOPT_PROXY_CAPATH, nil)
        if let file = loop.policy.certificateAuthorityFile { try set(CURLOPT_PROXY_CAINFO, file) }
        try set(CURLOPT_PROXY_SSLVERSION, version)
    }

    private func setIdentity(_ identity: TLSClientIdentity) throws(TransportError) {
        switch identity.form {
        case .pem(let certificates, let key):
            try set(CURLOPT_SSLCERTTYPE, "PEM")
            try set(CURLOPT_SSLCERT_BLOB, bytes: certificates)
            try set(CURLOPT_SSLKEYTYPE, "PEM")
            try set(CURLOPT_SSLKEY_BLOB, bytes: key)
        case .pkcs12(let bytes):
            try set(CURLOPT_SSLCERTTYPE, "P12")
            try set(CURLOPT_SSLCERT_BLOB, bytes: bytes)
        }
        // Without one OpenSSL would ask whoever sits at the terminal.
        try set(CURLOPT_KEYPASSWD, identity.passphrase ?? "")
    }

    /// Has a new connection make a TLS session of its own, which is not kept, or go on with an earlier one.
    func setSessions(areKept: Bool) throws(TransportError) {
        guard keepsSessions != areKept else { return }
        try set(CURLOPT_SSL_SESSIONID_CACHE, areKept ? 1 : 0)
        keepsSessions = areKept
    }

    /// The TLS connection to the server; `nil` if there is none.
    var tlsConnection: TLSConnection? {
        var session: UnsafeMutablePointer<curl_tlssessioninfo>?
        guard masthead_curl_easy_getinfo_tls(pointer, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK,
            let session = session?.pointee, session.backend == CURLSSLBACKEND_OPENSSL
        else { return nil }
        return session.internals.map(TLSConnection.init)
    }
}

private let judgeServers: EasyHandle.TLSCallback = { _, tls, context in
    guard let tls, let context else { return CURLE_ABORTED_BY_CALLBACK }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.judgeServer(of: tls) ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK
}
