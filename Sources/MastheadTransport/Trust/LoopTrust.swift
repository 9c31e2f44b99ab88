import FoundationEssentials
import MastheadCrypto

/// Decides for one loop which servers its exchanges may be sent to.
///
/// Each connection is judged twice: when it is made, and before every request on it, also where it was kept or goes on with an
/// earlier TLS session, which asks nobody for a certificate. A judgement holds for its connection until the pins change or
/// are over.
final class LoopTrust: Sendable {
    let policy: TrustPolicy
    /// Whether chains are judged at the handshake.
    ///
    /// Not where a proxy has TLS of its own: at a handshake nothing tells it from the server's, and no server's pins are
    /// the proxy's. What is judged before a request is the server's connection.
    let judgesHandshakes: Bool

    /// Whether every connection ends on this machine, at a Unix socket.
    let isLocal: Bool

    init(_ key: LoopKey) {
        policy = key.policy
        isLocal = key.route.unixSocketPath != nil
        judgesHandshakes = key.route.proxy.map { !$0.url.hasPrefix("https") } ?? true
    }

    /// Whether anything is to be judged before a request.
    var judgesRequests: Bool { policy.pins != nil || policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks }

    private var now: Date { policy.pinReporter?.now ?? Date() }

    /// Judges a connection, or finds it judged.
    ///
    /// - Returns: Why nothing may be sent on it; `nil` if it may.
    func refusal(of connection: TLSConnection?, to origin: Origin) -> PinFailure? {
        guard let pins = policy.pins else { return nil }
        guard let connection, let peer = connection.peer else {
            return PinFailure(reason: .unknownChain, host: origin.host, port: origin.port)
        }
        if let known = peer.judgement as? PinJudgement, known.holds(for: origin, pins.generation, at: now) {
            return known.refusal
        }
        guard let chain = connection.chain else {
            let edition = pins.current
            return failure(.unknownChain, edition.policy.host(for: origin.host), nil, connection, origin)
        }
        return judge(chain, of: connection, peer, for: origin)
    }

    /// Judges a chain, and remembers it.
    func judge(
        _ chain: VerifiedChain,
        of connection: TLSConnection,
        _ peer: TLSPeer,
        for origin: Origin
    ) -> PinFailure? {
        guard let edition = policy.pins?.current else { return nil }
        let pins = chain.pins(withCertificates: edition.policy.hasCertificatePins)
        let verdict = edition.policy.judge(chain: pins, host: origin.host, now: now)
        var refusal: PinFailure?
        switch verdict {
        case .unpinned, .matched: break
        case .expired(let host): report(.expired, host, chain, connection, origin)
        case .reported(let host): report(.mismatch, host, chain, connection, origin)
        case .refused(let reason, let host): refusal = report(reason, host, chain, connection, origin, isRefused: true)
        }
        peer.judgement = PinJudgement(
            origin: origin.text,
            generation: edition.generation,
            end: verdict.end,
            refusal: refusal
        )
        return refusal
    }

    @discardableResult
    private func report(
        _ reason: PinFailure.Reason,
        _ host: PinnedHost?,
        _ chain: VerifiedChain,
        _ connection: TLSConnection,
        _ origin: Origin,
        isRefused: Bool = false
    ) -> PinFailure {
        let failure = failure(reason, host, chain, connection, origin)
        policy.pinReporter?.report(
            PinEvent(
                failure: failure,
                host: host,
                isRefused: isRefused,
                chain: chain.certificates.compactMap { try? $0.pem() }
            )
        )
        return failure
    }

    private func failure(
        _ reason: PinFailure.Reason,
        _ host: PinnedHost?,
        _ chain: VerifiedChain?,
        _ connection: TLSConnection,
        _ origin: Origin
    ) -> PinFailure {
        PinFailure(
            reason: reason,
            host: origin.host,
            port: origin.port,
            expected: host?.pins.map(\.text).sorted() ?? [],
            served: connection.served.map(\.pinLine),
            built: chain?.certificates.map(\.pinLine) ?? []
        )
    }
}

extension PinVerdict {
    /// When it is to be thought over, whatever the pins; `nil` for never.
    fileprivate var end: Date? {
        switch self {
        case .matched(let host), .reported(let host), .refused(.mismatch, let host?): host.expiry
        case .unpinned, .expired, .refused: nil
        }
    }
}

extension VerifiedChain {
    /// The pins it fulfils: those of its keys, and of its certificates if somebody has any.
    fileprivate func pins(withCertificates areWanted: Bool) -> [Pin] {
        let keys = publicKeyDigests.map(Pin.publicKey)
        return areWanted ? keys + certificates.compactMap { try? Pin.certificate($0.digest()) } : keys
    }
}

extension Certificate {
    /// The pin of its key, to be pasted, and whose it is.
    fileprivate var pinLine: String {
        let pin = (try? publicKeyDigest()).map { Pin.publicKey($0).text } ?? "sha256/?"
        return "\(pin) \(subject)"
    }
}
