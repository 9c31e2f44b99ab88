import CMastheadCurl
import MastheadCrypto

extension Transfer {
    /// Has the one judged at the other end of a new connection; `false` if nobody can.
    func judgeServer(of tls: UnsafeMutableRawPointer) -> Bool {
        guard let trust = pass?.trust else { return false }
        attempt.handshakes += 1
        // Through a proxy with TLS nobody comes to the server before that is agreed on.
        let judge = ConnectionTrust(trust, to: origin, isProxy: trust.hasSecureProxy && attempt.handshakes == 1)
        attempt.judge = judge
        let isJudged = ServerTrust.install(
            judge,
            on: tls,
            judgesChains: trust.policy.pins != nil,
            asksForStaples: trust.policy.tls.stapling != .ignored && !trust.trustsAnyCertificate
        )
        if !isJudged { attempt.abort = .setup("OpenSSL has nobody judge the server") }
        return isJudged
    }

    /// Whether a connection may be made to an address, `nil` for what is none: where any certificate is trusted, only if it
    /// is one of this machine or a private network.
    func mayConnect(to address: SocketAddress?) -> Bool {
        let text = address?.text ?? ""
        // Without TLS nobody shows a certificate.
        if !origin.isSecure || PrivateAddress.contains(text) { return true }
        attempt.forbiddenAddress = text
        return false
    }

    /// Allows one sending: libcurl asks again before it repeats a request by itself, which is not its to decide.
    func permitSending(on ends: KeptSockets.Ends, at address: UnsafePointer<CChar>?) -> Bool {
        noteActivity()
        guard attempt.sends == 0 else {
            attempt.wasAskedAgainWithoutError = !(handle?.hasMessage ?? true)
            attempt.abort = .connectionLost(mayHaveBeenProcessed: true)
            attempt.sends += 1
            return false
        }
        if isReused, pass?.kept.isSpoiled(ends) ?? false {
            // Nothing was sent on it, so it is sent again on another.
            attempt.abort = .connectionLost(mayHaveBeenProcessed: false)
            return false
        }
        if let refusal = refusal(of: ends, at: address) {
            attempt.abort = refusal
            return false
        }
        attempt.sends = 1
        attempt.ends = ends
        pass?.renewals.connected(self)
        return true
    }

    /// Whether its connection was kept from another exchange, or is shared with one.
    var isReused: Bool { handle?.number(CURLINFO_NUM_CONNECTS) == 0 }

    /// Why nothing may be sent on a connection; `nil` if it may.
    func refusal(of ends: KeptSockets.Ends, at address: UnsafePointer<CChar>?) -> TransportError? {
        guard origin.isSecure, let handle, let trust = pass?.trust, trust.judgesRequests else { return nil }
        if trust.trustsAnyCertificate {
            // Who can reach a Unix socket is on this machine.
            if trust.isLocal { return nil }
            let text = address.map { String(cString: $0) } ?? ""
            return PrivateAddress.contains(text) ? nil : Self.publicAddress(text)
        }
        let connection = handle.tlsConnection
        guard let refusal = trust.refusal(of: connection, to: origin) else {
            attempt.peer = connection?.peer
            return nil
        }
        attempt.refusal = refusal
        // Who was trusted before may not be now: the next one gets a connection whose server is asked anew.
        if let connection, isReused || connection.isResumed {
            attempt.isRefusedForThePast = true
            giveUp(connection, ends, of: handle)
        }
        return .pinMismatch(refusal.failure)
    }

    /// Sends nothing more on a connection, and closes it once all is over that was sent before.
    private func giveUp(_ connection: TLSConnection, _ ends: KeptSockets.Ends, of handle: EasyHandle) {
        connection.forgetSession()
        // One that serves one exchange at a time is closed in any case.
        guard connection.speaksHTTP2, let pass else { return }
        let isInUse = connection.peer.map { pass.transfers?.closeConnection(to: $0) ?? false } ?? false
        if !isInUse, EasyHandle.knowsEras, pass.kept.knows(ends) {
            // Others may be about to ask for it: were it closed at once, each of them would make one of its own.
            if !pass.refused.contains(ends) { pass.refused.append(ends) }
        } else {
            handle.forbidReuse()
        }
        guard EasyHandle.knowsEras else { return }
        attempt.isRefusedAmongOthers = true
        pass.renewals.renew(origin, from: attempt.era)
    }

    /// Why any certificate is not trusted after all.
    static func publicAddress(_ text: String) -> TransportError {
        .tls("any certificate is trusted, but \(text) is no address of this machine or a private network")
    }

    /// Whether to ask again a server that may show something else by now; if not, its refusal is reported.
    ///
    /// Once for the same pins: those that have changed meanwhile may be fulfilled by one more connection.
    func asksAgain(after refusal: PinRefusal) -> Bool {
        guard attempt.isRefusedForThePast, refusal.generation != refusedGeneration else {
            pass?.trust.report(refusal)
            return false
        }
        refusedGeneration = refusal.generation
        return true
    }

    /// Has the end of the connection watched, if the body has no other end.
    ///
    /// Whoever is on the way can end a TCP connection; only the server can say that nothing more comes (RFC 8446, section
    /// 6.1, and RFC 9112, section 9.8).
    func watchEnd(_ handle: EasyHandle) {
        guard origin.isSecure, request.method != "HEAD", attempt.head.isEndedByClose else { return }
        attempt.isEndedByClose = true
        if attempt.peer == nil { attempt.peer = handle.tlsConnection?.peer }
    }
}
