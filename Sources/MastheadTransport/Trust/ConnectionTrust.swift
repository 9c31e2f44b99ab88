import FoundationEssentials
import MastheadCrypto

/// Judges who is at the other end of one TLS connection while that is made; it belongs to the connection, and outlives the
/// exchange that wanted it.
final class ConnectionTrust: ServerTrust.Judge, @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: touched only by the thread that has the loop's transfers.

    private let trust: LoopTrust
    private let origin: Origin
    /// Whether it is a proxy: what the origin must prove, that need not.
    private let isProxy: Bool
    /// Why the connection was refused.
    private(set) var failure: TransportError?
    /// If it was for pins.
    private(set) var refusal: PinRefusal?

    init(_ trust: LoopTrust, to origin: Origin, isProxy: Bool) {
        self.trust = trust
        self.origin = origin
        self.isProxy = isProxy
    }

    var now: Int { Int(trust.now.timeIntervalSince1970) }

    func goesOn(with term: SessionTerm) -> Bool { trust.goesOn(with: term) }

    func trusts(_ chain: VerifiedChain, of connection: TLSConnection, _ peer: TLSPeer) -> Bool {
        // Behind an `https` proxy it may be the proxy's, which was verified as well.
        trust.policy.pinReporter?.noteVerified()
        guard trust.judgesHandshakes, let refusal = trust.judge(chain, of: connection, peer, for: origin) else {
            return true
        }
        self.refusal = refusal
        failure = .pinMismatch(refusal.failure)
        return false
    }

    func trusts(_ staple: Staple) -> Bool {
        let name = isProxy ? "proxy" : "server"
        switch staple {
        case .good: return true
        case .missing:
            guard trust.policy.tls.stapling == .required, !isProxy else { return true }
            failure = .tls("the \(name) did not prove that its certificate was not revoked (OCSP stapling)")
        case .revoked: failure = .tls("the \(name)'s certificate was revoked")
        case .invalid(let reason):
            failure = .tls("the \(name)'s proof that its certificate was not revoked (OCSP) proves nothing: \(reason)")
        }
        return false
    }
}
