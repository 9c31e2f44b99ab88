import MastheadCrypto

extension Transfer {
    /// Has the server of a new connection judged; `false` if nobody can.
    func judgeServer(of tls: UnsafeMutableRawPointer) -> Bool {
        guard let trust = pass?.trust else { return false }
        let judge = ConnectionTrust(trust, to: origin)
        attempt.judge = judge
        let settings = trust.policy.tls
        let isJudged = ServerTrust.install(
            judge,
            on: tls,
            judgesChains: trust.policy.pins != nil,
            asksForStaples: settings.stapling != .ignored && !settings.dangerouslyTrustsAnyCertificateOnPrivateNetworks
        )
        if !isJudged { attempt.abort = .setup("OpenSSL has nobody judge the server") }
        return isJudged
    }

    /// Why nothing may be sent on a connection; `nil` if it may.
    func refusal(of ports: KeptSockets.Ports, at address: UnsafePointer<CChar>?) -> TransportError? {
        guard origin.isSecure, let handle, let trust = pass?.trust, trust.judgesRequests else { return nil }
        if trust.policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks {
            // Who can reach a Unix socket is on this machine.
            if trust.isLocal { return nil }
            let text = address.map { String(cString: $0) } ?? ""
            if PrivateAddress.contains(text) { return nil }
            return .tls("any certificate is trusted, but \(text) is no address of this machine or a private network")
        }
        let connection = handle.tlsConnection
        guard let refusal = trust.refusal(of: connection, to: origin) else { return nil }
        // Who was trusted before may not be now: the next one gets a connection whose server is asked anew.
        if isReused {
            attempt.isRefusedForThePast = true
            pass?.kept.shut(ports)
        }
        if let connection, connection.isResumed {
            attempt.isRefusedForThePast = true
            connection.forgetSession()
        }
        return .pinMismatch(refusal)
    }

    /// Has the end of the connection watched, if the body has no other end.
    ///
    /// Whoever is on the way can end a TCP connection; only the server can say that nothing more comes (RFC 8446, section
    /// 6.1, and RFC 9112, section 9.8).
    func watchEnd(_ handle: EasyHandle) {
        guard origin.isSecure, request.method != "HEAD", attempt.head.isEndedByClose else { return }
        attempt.isEndedByClose = true
        attempt.peer = handle.tlsConnection?.peer
    }
}
