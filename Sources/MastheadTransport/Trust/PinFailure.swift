/// Why pins refused a server, with all that is needed to put it right.
package struct PinFailure: Hashable, Sendable {
    /// Why nothing may be sent there.
    package enum Reason: Hashable, Sendable {
        /// The chain has none of the host's pins.
        case mismatch
        /// The host's pins are over, and it is refused without them.
        case expired
        /// No pins hold for the host, and it needs some.
        case unpinnedHost
        /// No chain was verified, so there is nothing to judge.
        case unknownChain
    }

    package var reason: Reason
    /// The host that was asked for, and its port.
    package var host: String
    package var port: Int
    /// The host's pins, each `sha256/…`, in their texts' order.
    package var expected: [String]
    /// What the server showed, its own certificate first: of each the key's `sha256/…`, a blank and the subject.
    package var served: [String]
    /// What was verified of it, up to a trusted root: only these are compared.
    package var built: [String]

    package init(
        reason: Reason = .mismatch,
        host: String,
        port: Int,
        expected: [String] = [],
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
}
