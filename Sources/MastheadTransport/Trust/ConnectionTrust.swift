import MastheadCrypto

/// Judges the server of one connection while that is made; it belongs to the connection, and outlives the exchange that
/// wanted it.
final class ConnectionTrust: ServerTrust.Judge, @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: touched only by the thread that has the loop's transfers.

    private let trust: LoopTrust
    private let origin: Origin
    /// Why the connection was refused.
    private(set) var failure: TransportError?

    init(_ trust: LoopTrust, to origin: Origin) {
        self.trust = trust
        self.origin = origin
    }

    func trusts(_ chain: VerifiedChain, of connection: TLSConnection, _ peer: TLSPeer) -> Bool {
        // Behind an `https` proxy it may be the proxy's, which was verified as well.
        trust.policy.pinReporter?.noteVerified()
        guard trust.judgesHandshakes, let refusal = trust.judge(chain, of: connection, peer, for: origin) else {
            return true
        }
        failure = .pinMismatch(refusal)
        return false
    }

    func trusts(_ staple: Staple) -> Bool {
        switch staple {
        case .good: return true
        case .missing:
            guard trust.policy.tls.stapling == .required else { return true }
            failure = .tls("the server did not prove that its certificate was not revoked (OCSP stapling)")
        case .revoked: failure = .tls("the server's certificate was revoked")
        case .invalid(let reason):
            failure = .tls("the server's proof that its certificate was not revoked (OCSP) proves nothing: \(reason)")
        }
        return false
    }
}
