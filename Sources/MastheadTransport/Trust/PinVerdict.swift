/// What pins say of a chain.
package enum PinVerdict: Hashable, Sendable {
    /// No pins hold for the host, and it needs none.
    case unpinned
    /// The chain has one of the host's pins.
    case matched(PinnedHost)
    /// The host's pins are over, and it is taken for one without.
    case expired(PinnedHost)
    /// The chain has none of the host's pins, which is reported and nothing more.
    case reported(PinnedHost)
    /// Nothing may be sent there: why, and whose pins those are.
    case refused(PinFailure.Reason, PinnedHost?)

    /// Whether something may be sent there.
    package var isAccepted: Bool {
        if case .refused = self { false } else { true }
    }

    /// Whose pins they are; `nil` if none hold for the host.
    package var host: PinnedHost? {
        switch self {
        case .unpinned: nil
        case .matched(let host), .expired(let host), .reported(let host): host
        case .refused(_, let host): host
        }
    }
}
