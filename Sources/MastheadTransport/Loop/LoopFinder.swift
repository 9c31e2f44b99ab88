import MastheadLock
import Synchronization

/// Finds the loops of one policy and route.
///
/// Looking one up hashes and compares all of both, which costs as much as the rest of a caller's part: who makes many
/// exchanges remembers it.
package final class LoopFinder: Sendable {
    private let policy: TrustPolicy
    private let route: TransportRoute
    private let idleLifetime: Duration
    private let longestWait: Duration
    /// The loop that was found last; `nil` for who doesn't remember.
    private let last: Lock<TransferLoop?>?

    package init(
        policy: TrustPolicy,
        route: TransportRoute,
        idleLifetime: Duration,
        longestWait: Duration,
        remembers: Bool
    ) {
        self.policy = policy
        self.route = route
        self.idleLifetime = idleLifetime
        self.longestWait = longestWait
        last = remembers ? Lock(nil) : nil
    }

    /// The loop for a purpose, which everybody with an equal policy and route has.
    package func loop(_ purpose: LoopKey.Purpose) -> TransferLoop {
        guard purpose == .exchanges, let last else { return find(purpose) }
        return last.withLock { last in
            // One whose thread has ended is not everybody's any more.
            if let last, last.isShared.load(ordering: .acquiring) { return last }
            let found = find(purpose)
            last = found
            return found
        }
    }

    private func find(_ purpose: LoopKey.Purpose) -> TransferLoop {
        let key = LoopKey(policy: policy, purpose: purpose, route: route)
        return LoopRegistry.shared.loop(for: key, idleLifetime: idleLifetime, longestWait: longestWait)
    }
}
