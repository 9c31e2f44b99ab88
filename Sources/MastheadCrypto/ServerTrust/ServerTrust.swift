import CMastheadOpenSSL

/// Has somebody decide about the servers of a client's TLS connections, beyond what OpenSSL does.
package enum ServerTrust {
    /// Who decides; asked on the thread that makes the connection.
    package protocol Judge: AnyObject, Sendable {
        /// Whether a server is trusted whose chain was verified.
        func trusts(_ chain: VerifiedChain, of connection: TLSConnection, _ peer: TLSPeer) -> Bool

        /// Whether a server is trusted that proved this of its certificate's revocation.
        func trusts(_ staple: Staple) -> Bool
    }

    /// Puts a judge over the connections of a context, OpenSSL's `SSL_CTX`, which keeps it as long as it lives.
    ///
    /// - Parameters:
    ///   - judge: Who decides.
    ///   - context: The context, of which no connection has been made yet.
    ///   - judgesChains: Whether it is asked about chains.
    ///   - asksForStaples: Whether servers are asked for their proof, and it about that.
    /// - Returns: Whether that was possible; if not, no connection may be made.
    package static func install(
        _ judge: any Judge,
        on context: UnsafeMutableRawPointer,
        judgesChains: Bool,
        asksForStaples: Bool
    ) -> Bool {
        let context = OpaquePointer(context)
        guard TrustIndices.peer >= 0, TrustIndices.chain >= 0, TrustIndices.judge >= 0 else { return false }
        let box = Unmanaged.passRetained(JudgeBox(judge))
        guard SSL_CTX_set_ex_data(context, TrustIndices.judge, box.toOpaque()) == 1 else {
            box.release()
            return false
        }
        SSL_CTX_set_info_callback(context, noteAlert)
        if judgesChains { SSL_CTX_set_cert_verify_callback(context, judgeChain, box.toOpaque()) }
        guard asksForStaples else { return true }
        return masthead_openssl_SSL_CTX_set_tlsext_status_type_int(context, TLSEXT_STATUSTYPE_ocsp) == 1
            && masthead_openssl_SSL_CTX_set_tlsext_status_cb_status(context, judgeStaple) == 1
    }
}

private final class JudgeBox: Sendable {
    let judge: any ServerTrust.Judge

    init(_ judge: any ServerTrust.Judge) {
        self.judge = judge
    }
}

private func judgeChain(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    // First everything that OpenSSL looks at: signatures, dates, purposes, what authorities may do.
    let result = X509_verify_cert(store)
    guard result == 1 else { return result }
    let handle = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    guard let argument, let connection = handle.map(TLSConnection.init),
        let chain = VerifiedChain(X509_STORE_CTX_get0_chain(store)), let peer = connection.note(chain),
        Unmanaged<JudgeBox>.fromOpaque(argument).takeUnretainedValue().judge.trusts(chain, of: connection, peer)
    else {
        X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return 0
    }
    return 1
}

private func judgeStaple(_ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    // With an earlier session nothing is shown: the judge has seen what there was.
    if SSL_session_reused(handle) == 1 { return 1 }
    guard let handle, let box = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(handle), TrustIndices.judge) else { return 0 }
    let judge = Unmanaged<JudgeBox>.fromOpaque(box).takeUnretainedValue().judge
    return judge.trusts(Staple(of: handle)) ? 1 : 0
}

private func noteAlert(_ handle: OpaquePointer?, _ kind: Int32, _ value: Int32) {
    guard kind == SSL_CB_READ_ALERT, value & 0xFF == SSL_AD_CLOSE_NOTIFY, let handle else { return }
    TLSConnection(UnsafeMutableRawPointer(handle)).peer?.hasSaidGoodbye = true
}
