/// Something that is to be known about pins: a server without any of them, or pins that are over.
package struct PinEvent: Hashable, Sendable {
    /// What happened, and with what.
    package var failure: PinFailure
    /// Whose pins those are; `nil` if none hold for the host.
    package var host: PinnedHost?
    /// Whether the exchange was refused for it.
    package var isRefused: Bool
    /// The chain that was verified, each certificate as PEM, the server's own first.
    package var chain: [String]

    package init(failure: PinFailure, host: PinnedHost?, isRefused: Bool, chain: [String]) {
        self.failure = failure
        self.host = host
        self.isRefused = isRefused
        self.chain = chain
    }
}
