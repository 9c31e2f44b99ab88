import MastheadLock
import MastheadTransport

/// Pins that an app may change while it runs, held by it and by its configuration.
///
/// ```swift
/// let pins = ReplaceablePinning(.publicKeys(keys))
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.replaceablePinning = pins }
///
/// try pins.replace(with: .publicKeys(newKeys))
/// ```
///
/// Every request after ``replace(with:)`` is judged by the new pins, also on a connection that is open already; one that
/// was sent before is not called back. Safe to use from any thread.
public final class ReplaceablePinning: Sendable {
    private struct State {
        var pinning: CertificatePinning
        /// How often it was replaced.
        var edition = 0
        /// One for each host of a configuration that uses these pins: pins without a name are that host's.
        var stores: [PinningTarget: PinStore] = [:]
    }

    private let state: Lock<State>

    /// Makes replaceable pins; what is wrong with the first ones is said by ``NetworkingConfiguration/validate()``.
    public init(_ pinning: CertificatePinning) {
        state = Lock(State(pinning: pinning))
    }

    /// The pins that hold now.
    public var current: CertificatePinning { state.withLock { $0.pinning } }

    /// Puts other pins in their place.
    ///
    /// ``CertificatePinning/onEvent``, ``CertificatePinning/reportURI`` and ``CertificatePinning/stateFolder`` stay those of
    /// the first pins in configurations that are in use. Reading certificates from files blocks for as long as that takes.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if they are not valid for every configuration that uses
    ///   them; the old ones stay then.
    public func replace(with pinning: CertificatePinning) throws(RepositoryError) {
        while true {
            // Files are read before anything is locked.
            var policies: [PinningTarget: PinPolicy] = [:]
            for target in state.withLock({ Array($0.stores.keys) }) {
                policies[target] = try pinning.policy(for: target)
            }
            let isReplaced = state.withLock { [policies] state in
                // A configuration of another host may have come in between.
                guard state.stores.keys.allSatisfy({ policies[$0] != nil }) else { return false }
                state.pinning = pinning
                state.edition += 1
                for (target, store) in state.stores {
                    if let policy = policies[target] { store.replace(with: policy) }
                }
                return true
            }
            if isReplaced { return }
        }
    }

    /// What judges the requests of a configuration by these pins.
    func store(for target: PinningTarget) throws(RepositoryError) -> PinStore {
        while true {
            let (kept, pinning, edition) = state.withLock { ($0.stores[target], $0.pinning, $0.edition) }
            if let kept { return kept }
            let policy = try pinning.policy(for: target)
            let store = state.withLock { state -> PinStore? in
                // They may have been replaced while files were read.
                guard state.edition == edition else { return nil }
                let store = state.stores[target] ?? PinStore(policy)
                state.stores[target] = store
                return store
            }
            if let store { return store }
        }
    }
}
