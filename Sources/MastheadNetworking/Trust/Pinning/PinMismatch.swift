/// What a server showed, and what its pins wanted instead; see <doc:Pinning>.
///
/// ```swift
/// case .failure(.pinMismatch(let mismatch)): report("\(mismatch)")
/// ```
///
/// Its description has one line for each pin, as ``CertificatePinning`` takes it, so that a developer can paste it:
///
/// ```
/// no certificate of api.example.com:443 is pinned
/// expected one of
///   sha256/9n0izTnSRF+W4W4JTq51avSXkWhQB8duS2bxVLfzXsY=
///   sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=
/// built from what the server sent
///   sha256/RQeZkB42znUfsDIIFWIRiYEcKl7nHwNFwWCrnMMJbVc= CN=api.example.com
///   sha256/7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y= CN=Example Authority
/// ```
///
/// Certificates that the server sent and that are not in the chain stand before it, under a line of their own.
///
/// Nothing in it is secret: pins are digests of public keys.
public struct PinMismatch: Sendable, Hashable {
    /// Why nothing was sent.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable {
        /// No certificate of the verified chain is pinned.
        case mismatch

        /// The pins have expired, and ``CertificatePinning/Host/failsWhenExpired`` is set.
        case expired

        /// The host has no pins, and ``CertificatePinning/allowsUnpinnedHosts`` is `false`.
        case unpinnedHost

        /// Of the connection that was about to be used no verified chain is known.
        case unverified
    }

    /// Why nothing was sent.
    public let reason: Reason

    /// The host, as it was asked for.
    public let host: String

    /// The port.
    public let port: Int

    /// The pins that would have done, each a `sha256/…`.
    public let expected: [String]

    /// The certificates that the server sent, its own first: each a `sha256/…` with the holder's name behind it.
    ///
    /// Anybody can send a certificate; that one is here proves nothing, and none of these was compared.
    public let served: [String]

    /// The certificates of the chain that was verified, from the server's own to the authority's: these were compared.
    ///
    /// Empty if none was verified, as when the connection of another trust was about to be used.
    public let built: [String]

    /// Makes a mismatch; an app does so in its tests.
    ///
    /// - Parameters:
    ///   - reason: Why nothing was sent.
    ///   - host: The host.
    ///   - port: The port.
    ///   - expected: The pins that would have done.
    ///   - served: What the server sent.
    ///   - built: What was verified of it.
    public init(
        _ reason: Reason = .mismatch,
        host: String,
        port: Int = 443,
        expected: [String],
        served: [String] = [],
        built: [String] = []
    ) {
        self.reason = reason
        self.host = host
        self.port = port
        self.expected = expected
        self.served = served
        self.built = built
    }

    /// The first of the description's lines.
    var headline: String {
        switch reason {
        case .mismatch: "no certificate of \(host):\(port) is pinned"
        case .expired: "the pins of \(host):\(port) have expired"
        case .unpinnedHost: "\(host):\(port) has no pins, and may not be asked without"
        case .unverified: "no verified chain of \(host):\(port) is known"
        }
    }
}

extension PinMismatch: CustomStringConvertible {
    /// What happened, in lines of which those that start with `sha256/` can be pasted.
    public var description: String {
        // What was sent says something more only where it is not a part of what was built.
        let sent = Set(served).isSubset(of: built) ? [] : served
        let parts = [
            ("expected one of", expected), ("the server sent", sent), ("built from what the server sent", built),
        ]
        let lines = parts.filter { !$0.1.isEmpty }.flatMap { title, pins in [title] + pins.map { "  \($0)" } }
        return ([headline] + lines).joined(separator: "\n")
    }
}
