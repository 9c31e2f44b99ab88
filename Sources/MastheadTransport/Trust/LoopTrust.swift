import FoundationEssentials
package import MastheadCrypto

/// Decides for one loop which servers its exchanges may be sent to.
///
/// Each connection is judged twice: when it is made, and before every request on it, also where it was kept or goes on with an
/// earlier TLS session, which asks nobody for a certificate. A judgement holds for its connection until the pins change or
/// are over.
package final class LoopTrust: Sendable {
    /// How long a TLS session may be gone on with, in seconds: a day.
    ///
    /// As RFC 5246, appendix F.1.4, has it for TLS 1.2; tickets of TLS 1.3 last a week at most (RFC 8446, section 4.6.1).
    private static let longestSession = 86_400

    let policy: TrustPolicy
    /// Whether connections are made through a proxy with TLS of its own.
    let hasSecureProxy: Bool

    /// Whether every connection ends on this machine, at a Unix socket.
    let isLocal: Bool

    package init(_ policy: TrustPolicy, _ route: TransportRoute = TransportRoute()) {
        self.policy = policy
        isLocal = route.unixSocketPath != nil
        hasSecureProxy = route.proxy?.url.hasPrefix("https") ?? false
    }

    /// Whether chains are judged at the handshake.
    ///
    /// Not where a proxy has TLS of its own: no server's pins are the proxy's, and of a proxy that is asked twice nothing
    /// tells the second handshake from the server's. What is judged before a request is the server's connection.
    var judgesHandshakes: Bool { !hasSecureProxy }

    /// Whether any certificate whatever is trusted, where that can do no harm.
    var trustsAnyCertificate: Bool { policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks }

    /// Whether anything is to be judged before a request.
    var judgesRequests: Bool { policy.pins != nil || trustsAnyCertificate }

    /// The time that everything is judged by.
    var now: Date { policy.pinReporter?.now ?? Date() }

    /// Whether a TLS session may be gone on with: not for longer than its server's certificates hold, nor for more than a day.
    func goesOn(with term: SessionTerm) -> Bool {
        let now = Int(now.timeIntervalSince1970)
        // Of a clock that was set back nobody knows how long ago something was.
        return now <= term.end && (term.start..<term.start + Self.longestSession).contains(now)
    }

    /// Judges a connection, or finds it judged.
    ///
    /// - Returns: Why nothing may be sent on it; `nil` if it may.
    package func refusal(of connection: TLSConnection?, to origin: Origin) -> PinRefusal? {
        guard let pins = policy.pins else { return nil }
        if let connection, let peer = connection.peer {
            let known = peer.judgement as? PinJudgement
            if let known, known.holds(for: origin, pins.generation, at: now) { return known.refusal }
            if let chain = connection.chain { return judge(chain, of: connection, peer, for: origin) }
        }
        let edition = pins.current
        let host = edition.policy.host(for: origin.host)
        let event = event(.unknownChain, host, nil, connection, origin, isRefused: true)
        return PinRefusal(event: event, generation: edition.generation)
    }

    /// Judges a chain, and remembers it; reports what is not refused.
    func judge(
        _ chain: VerifiedChain,
        of connection: TLSConnection,
        _ peer: TLSPeer,
        for origin: Origin
    ) -> PinRefusal? {
        guard let edition = policy.pins?.current else { return nil }
        let pins = chain.pins(withCertificates: edition.policy.hasCertificatePins)
        let verdict = edition.policy.judge(chain: pins, host: origin.host, now: now)
        var refusal: PinRefusal?
        switch verdict {
        case .unpinned, .matched: break
        case .expired(let host):
            policy.pinReporter?.report(event(.expired, host, chain, connection, origin, isRefused: false))
        case .reported(let host):
            policy.pinReporter?.report(event(.mismatch, host, chain, connection, origin, isRefused: false))
        case .refused(let reason, let host):
            let event = event(reason, host, chain, connection, origin, isRefused: true)
            refusal = PinRefusal(event: event, generation: edition.generation)
        }
        peer.judgement = PinJudgement(
            origin: origin.text,
            generation: edition.generation,
            end: verdict.end,
            refusal: refusal
        )
        return refusal
    }

    /// Reports that an exchange ended in a refusal: not before it has, since a server that was asked some time ago may show
    /// something else by now.
    package func report(_ refusal: PinRefusal) {
        policy.pinReporter?.report(refusal.event)
    }

    private func event(
        _ reason: PinFailure.Reason,
        _ host: PinnedHost?,
        _ chain: VerifiedChain?,
        _ connection: TLSConnection?,
        _ origin: Origin,
        isRefused: Bool
    ) -> PinEvent {
        PinEvent(
            failure: PinFailure(
                reason: reason,
                host: origin.host,
                port: origin.port,
                expected: host?.pins.map(\.text).sorted() ?? [],
                served: connection?.served.map(\.pinLine) ?? [],
                built: chain?.certificates.map(\.pinLine) ?? []
            ),
            host: host,
            isRefused: isRefused,
            chain: chain?.certificates.compactMap { try? $0.pem() } ?? []
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
