import MastheadLock

/// Pins that may change while exchanges are under way.
///
/// Every connection is judged again before the next request on it, however long it has been kept. No two stores are equal,
/// and nothing is shared between exchanges of different ones.
package final class PinStore: Sendable, Hashable {
    /// The pins of one moment; a number tells them from those before and after.
    package struct Edition: Sendable {
        package let policy: PinPolicy
        package let generation: UInt64
    }

    private let edition: Lock<Edition>

    package init(_ policy: PinPolicy) {
        edition = Lock(Edition(policy: policy, generation: 0))
    }

    /// The pins that hold now.
    package var current: Edition { edition.withLock { $0 } }

    /// The number of the pins that hold now.
    package var generation: UInt64 { edition.withLock { $0.generation } }

    /// Puts others in their place, for every request from now on.
    package func replace(with policy: PinPolicy) {
        edition.withLock { $0 = Edition(policy: policy, generation: $0.generation + 1) }
    }

    package static func == (left: PinStore, right: PinStore) -> Bool {
        left === right
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
