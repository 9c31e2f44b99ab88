import FoundationEssentials
import MastheadTransport

extension PinMismatch {
    /// What the transport tells of it.
    init(_ failure: PinFailure) {
        let reason: Reason =
            switch failure.reason {
            case .mismatch: .mismatch
            case .expired: .expired
            case .unpinnedHost: .unpinnedHost
            case .unknownChain: .unverified
            }
        self.init(
            reason,
            host: failure.host,
            port: failure.port,
            expected: failure.expected,
            served: failure.served,
            built: failure.built
        )
    }
}

extension PinningEvent {
    init(_ event: PinEvent, at date: Date) {
        self.init(
            mismatch: PinMismatch(event.failure),
            pinnedHost: event.host?.name,
            isRefused: event.isRefused,
            date: date
        )
    }
}
