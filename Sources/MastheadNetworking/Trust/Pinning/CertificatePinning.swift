/// The keys that servers are known by: what a trusted authority says of them is not enough then.
///
/// ```swift
/// $0.pinning = .publicKeys([
///     "sha256/9n0izTnSRF+W4W4JTq51avSXkWhQB8duS2bxVLfzXsY=",
///     "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=",
/// ])
/// ```
///
/// Pins come on top of all that is checked without them. They are compared with the chain that was verified, in each
/// handshake and again before each request; what does not match ends in ``RepositoryError/pinMismatch(_:)`` before a byte
/// of the request is sent. See <doc:Pinning>.
///
/// Making one never fails; ``NetworkingConfiguration/validate()`` says what is wrong with it, and a configuration whose
/// pins are wrong sends nothing. A configuration is given one when it is made; for pins that change while the app runs
/// there is ``ReplaceablePinning``.
public struct CertificatePinning: Sendable {
    /// How many reports may wait to be sent, in memory and on disk; more are dropped.
    public static let maximumReports = 100

    /// The hosts and their pins, in any order: the one whose name is the longest match for a server decides alone.
    public var hosts: [Host]

    /// Whether a host that none of ``hosts`` covers is trusted as without pins; `true` by default.
    ///
    /// A redirect may lead to one, and so may a call with a URL of its own. If it is `false`, such a call ends in
    /// ``RepositoryError/pinMismatch(_:)``.
    public var allowsUnpinnedHosts: Bool = true

    /// Whether a host may have one pin alone; `false` by default.
    ///
    /// A server that loses its only pinned key locks out every copy of the app. Hosts that are not
    /// ``Host/isEnforced`` may have one without this.
    public var allowsSinglePin: Bool = false

    /// Where mismatches are reported to, as JSON in a POST; `nil`, the default, reports none.
    ///
    /// An `https` URL without user, query and fragment, as `https://reports.example.org/pins`. It may be a pinned host:
    /// reports are sent by a client without pins.
    public var reportURI: String? { didSet { reporting = PinReporting() } }

    /// A folder for reports that wait and for the latest time that was seen; it is made if it is not there, for its owner
    /// alone.
    ///
    /// `nil`, the default, takes `masthead/NAME` of the executable `NAME` below `$XDG_STATE_HOME`, or below
    /// `~/.local/state`. Where there is no such folder, both stay in memory.
    public var stateFolder: String? { didSet { reporting = PinReporting() } }

    /// Told once of each request that ends in a mismatch, and once for each connection of mismatches that are not enforced
    /// and of pins that have expired.
    ///
    /// Called on any thread, for one event after the other; it holds up no request. If it takes too long, events are lost.
    public var onEvent: (@Sendable (PinningEvent) -> Void)? { didSet { reporting = PinReporting() } }

    /// What takes the events: one for all copies, so that their requests share connections.
    private(set) var reporting = PinReporting()

    /// Makes pins for these hosts.
    public init(hosts: [Host]) {
        self.hosts = hosts
    }

    /// Pins the configuration's own host to public keys.
    ///
    /// - Parameters:
    ///   - pins: Two at least, each the SHA-256 digest of a key as certificates have it (`SubjectPublicKeyInfo`; RFC 7469,
    ///     section 2.4): `sha256/` and base64, base64 alone, or 64 hexadecimal digits.
    ///   - configure: Sets everything else of the host.
    /// - Returns: The pins.
    public static func publicKeys(
        _ pins: [String],
        _ configure: (inout Host) -> Void = { _ in }
    ) -> CertificatePinning {
        CertificatePinning(hosts: [Host(.publicKeys(pins), configure)])
    }

    /// Pins the configuration's own host to the certificates of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder's path; what is below its own folders does not count.
    ///   - subject: What of the certificates is compared.
    ///   - configure: Sets everything else of the host.
    /// - Returns: The pins; no file is read yet.
    public static func certificates(
        in folder: String,
        comparing subject: Subject = .publicKey,
        _ configure: (inout Host) -> Void = { _ in }
    ) -> CertificatePinning {
        CertificatePinning(hosts: [Host(.certificates(in: folder, comparing: subject), configure)])
    }

    /// Pins the configuration's own host to the certificates among the app's resources, as
    /// ``NetworkingConfiguration/usePinningCertificate`` does.
    ///
    /// - Parameters:
    ///   - subject: What of the certificates is compared.
    ///   - configure: Sets everything else of the host.
    /// - Returns: The pins; no file is read yet.
    public static func appCertificates(
        comparing subject: Subject = .publicKey,
        _ configure: (inout Host) -> Void = { _ in }
    ) -> CertificatePinning {
        CertificatePinning(hosts: [Host(.appCertificates(comparing: subject), configure)])
    }
}
