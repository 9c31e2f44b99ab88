public import FoundationEssentials

extension CertificatePinning {
    /// What of a certificate is compared.
    public enum Subject: String, Sendable, Hashable {
        /// The public key: a certificate that is renewed with the same key is still the right one.
        case publicKey

        /// The whole certificate, byte for byte: its successor is another.
        case certificate
    }

    /// What a host is known by.
    @nonexhaustive
    public enum Pins: Sendable, Hashable {
        /// Digests of public keys; see ``CertificatePinning/publicKeys(_:_:)``.
        case publicKeys([String])

        /// The certificates of a folder, in `.cer`, `.crt`, `.der` and `.pem` files; see <doc:Pinning>.
        case certificates(in: String, comparing: Subject)

        /// The certificates among the app's resources, where <doc:Pinning> says.
        case appCertificates(comparing: Subject)
    }

    /// One host's pins, and how far they reach.
    ///
    /// ```swift
    /// CertificatePinning.Host("example.com", .publicKeys(keys)) { $0.includesSubdomains = true }
    /// ```
    public struct Host: Sendable, Hashable {
        /// The host's name or address, in any spelling and without a port; `nil` for the configuration's own.
        public var name: String?

        /// What it is known by.
        public var pins: Pins

        /// Whether the pins hold for every name below it too; `false` by default.
        ///
        /// Not for an address, and not for a name of one label.
        public var includesSubdomains: Bool = false

        /// Names below it that its pins do not hold for, nor for what is below those.
        public var excludedSubdomains: Set<String> = []

        /// From when on its pins hold no more; `nil`, the default, for never.
        ///
        /// The host counts as not pinned then: an app that nobody updates goes on working.
        public var expiry: Date?

        /// Whether nothing is sent to the host once its pins have expired; `false` by default.
        public var failsWhenExpired: Bool = false

        /// Whether a server without any of the pins is refused, rather than only told of; `true` by default.
        public var isEnforced: Bool = true

        /// Makes the pins of a host.
        ///
        /// - Parameters:
        ///   - name: The host's name or address.
        ///   - pins: What it is known by.
        ///   - configure: Sets everything else.
        public init(_ name: String, _ pins: Pins, _ configure: (inout Host) -> Void = { _ in }) {
            self.name = name
            self.pins = pins
            configure(&self)
        }

        /// Makes the pins of the configuration's own host.
        public init(_ pins: Pins, _ configure: (inout Host) -> Void = { _ in }) {
            self.pins = pins
            configure(&self)
        }
    }
}
