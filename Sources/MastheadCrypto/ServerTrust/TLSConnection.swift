import CMastheadOpenSSL

/// A client's TLS connection that somebody else owns, seen for a moment.
package struct TLSConnection {
    private let handle: OpaquePointer

    /// Looks at a connection: OpenSSL's `SSL`.
    package init(_ pointer: UnsafeMutableRawPointer) {
        handle = OpaquePointer(pointer)
    }

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    /// What is known of the server; `nil` if OpenSSL has no memory left for it.
    package var peer: TLSPeer? {
        if let known = SSL_get_ex_data(handle, TrustIndices.peer) {
            return Unmanaged<TLSPeer>.fromOpaque(known).takeUnretainedValue()
        }
        let peer = Unmanaged.passRetained(TLSPeer())
        guard SSL_set_ex_data(handle, TrustIndices.peer, peer.toOpaque()) == 1 else {
            peer.release()
            return nil
        }
        return peer.takeUnretainedValue()
    }

    /// Whether it went on with an earlier session, so that no certificate was shown.
    package var isResumed: Bool { SSL_session_reused(handle) == 1 }

    /// What was verified when the connection was made, or the session that it went on with; `nil` if nothing was.
    package var chain: VerifiedChain? {
        if let chain = peer?.chain { return chain }
        guard isResumed, let known = SSL_SESSION_get_ex_data(SSL_get_session(handle), TrustIndices.chain) else {
            return nil
        }
        return Unmanaged<VerifiedChain>.fromOpaque(known).takeUnretainedValue()
    }

    /// What the server sent, whether or not it belongs to it, its own certificate first.
    package var served: [Certificate] { [Certificate](SSL_get_peer_cert_chain(handle)) }

    /// Whether HTTP/2 was agreed on (ALPN, RFC 7301).
    package var speaksHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(handle, &name, &count)
        return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual("h2".utf8)
    }

    /// Keeps later connections from going on with its session, or with another that its server gives out.
    package func forgetSession() {
        peer?.isForgotten = true
        endSession()
    }

    /// Keeps everybody from going on with its session, itself included.
    func endSession() {
        // Clients keep none in the context, but this marks the session itself.
        if let session = SSL_get_session(handle) { SSL_CTX_remove_session(SSL_get_SSL_CTX(handle), session) }
    }

    /// The term of its session, or of the one that it wants to go on with.
    var term: SessionTerm? {
        guard let session = SSL_get_session(handle), let known = SSL_SESSION_get_ex_data(session, TrustIndices.term)
        else { return nil }
        return Unmanaged<SessionTerm>.fromOpaque(known).takeUnretainedValue()
    }

    /// Whether a session that its server gave out may be kept; notes its term, if it has none of the session it began with.
    func allows(_ session: OpaquePointer, at now: Int) -> Bool {
        guard let peer, !peer.isForgotten else { return false }
        if SSL_SESSION_get_ex_data(session, TrustIndices.term) != nil { return true }
        // Of one that was gone on with nothing was verified that could be noted here.
        guard !isResumed,
            let term = SessionTerm(of: [Certificate](SSL_get0_verified_chain(handle)), start: now)
        else { return false }
        let held = Unmanaged.passRetained(term)
        if SSL_SESSION_set_ex_data(session, TrustIndices.term, held.toOpaque()) == 1 { return true }
        held.release()
        return false
    }

    /// Notes what was verified, with the connection and with its session.
    func note(_ chain: VerifiedChain) -> TLSPeer? {
        guard let peer, let session = SSL_get_session(handle) else { return nil }
        let held = Unmanaged.passRetained(chain)
        let before = SSL_SESSION_get_ex_data(session, TrustIndices.chain)
        guard SSL_SESSION_set_ex_data(session, TrustIndices.chain, held.toOpaque()) == 1 else {
            held.release()
            return nil
        }
        if let before { Unmanaged<VerifiedChain>.fromOpaque(before).release() }
        peer.chain = chain
        peer.judgement = nil
        return peer
    }
}
