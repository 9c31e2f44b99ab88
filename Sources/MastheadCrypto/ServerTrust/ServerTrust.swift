import CMastheadOpenSSL

/// Has somebody decide about the servers of a client's TLS connections, beyond what OpenSSL does.
package enum ServerTrust {
    /// Who decides; asked on the thread that makes the connection.
    package protocol Judge: AnyObject, Sendable {
        /// Whether a server is trusted whose chain was verified.
        func trusts(_ chain: VerifiedChain, of connection: TLSConnection, _ peer: TLSPeer) -> Bool

        /// Whether a server is trusted that proved this of its certificate's revocation.
        func trusts(_ staple: Staple) -> Bool

        /// Whether an earlier session may be gone on with, so that nothing is proved again.
        func goesOn(with term: SessionTerm) -> Bool

        /// The time, in seconds since 1970: that at which a chain is verified.
        var now: Int { get }
    }

    /// Puts a judge over the connections of a context, OpenSSL's `SSL_CTX`, which keeps it as long as it lives.
    ///
    /// Whoever keeps the context's sessions has said so before, by the callback for new ones: it is not told of those that
    /// must not be kept.
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
        let indices = [TrustIndices.peer, TrustIndices.chain, TrustIndices.term, TrustIndices.judge]
        guard indices.allSatisfy({ $0 >= 0 }) else { return false }
        let box = Unmanaged.passRetained(JudgeBox(judge, keep: SSL_CTX_sess_get_new_cb(context)))
        guard SSL_CTX_set_ex_data(context, TrustIndices.judge, box.toOpaque()) == 1 else {
            box.release()
            return false
        }
        SSL_CTX_set_info_callback(context, note)
        SSL_CTX_sess_set_new_cb(context, keepSession)
        if judgesChains { SSL_CTX_set_cert_verify_callback(context, judgeChain, box.toOpaque()) }
        guard asksForStaples else { return true }
        return masthead_openssl_SSL_CTX_set_tlsext_status_type_int(context, TLSEXT_STATUSTYPE_ocsp) == 1
            && masthead_openssl_SSL_CTX_set_tlsext_status_cb_status(context, judgeStaple) == 1
    }
}

private final class JudgeBox: Sendable {
    /// Keeps a new session; 0 if it doesn't.
    typealias Keep = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32

    let judge: any ServerTrust.Judge
    let keep: Keep?

    init(_ judge: any ServerTrust.Judge, keep: Keep?) {
        self.judge = judge
        self.keep = keep
    }

    /// Whose connection it is.
    static func of(_ connection: OpaquePointer) -> JudgeBox? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), TrustIndices.judge).map {
            Unmanaged<JudgeBox>.fromOpaque($0).takeUnretainedValue()
        }
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
    guard let handle, let box = JudgeBox.of(handle) else { return 0 }
    return box.judge.trusts(Staple(of: handle)) ? 1 : 0
}

/// OpenSSL calls this whatever happens.
private func note(_ handle: OpaquePointer?, _ kind: Int32, _ value: Int32) {
    guard let handle else { return }
    let connection = TLSConnection(handle)
    if kind == SSL_CB_HANDSHAKE_START {
        // The last moment before the server is asked to go on with a session.
        let mayGoOn = connection.term.flatMap { term in JudgeBox.of(handle)?.judge.goesOn(with: term) } ?? false
        if !mayGoOn { connection.endSession() }
    } else if kind == SSL_CB_READ_ALERT, value & 0xFF == SSL_AD_CLOSE_NOTIFY {
        connection.peer?.hasSaidGoodbye = true
    }
}

private func keepSession(_ handle: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let handle, let session, let box = JudgeBox.of(handle), let keep = box.keep,
        TLSConnection(handle).allows(session, at: box.judge.now)
    else { return 0 }
    return keep(handle, session)
}
