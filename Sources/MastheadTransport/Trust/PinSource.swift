/// Where pins come from.
///
/// To be made once and kept: each request compares it with those of the loops, which is quickest for the same one.
package struct PinSource: Sendable, Hashable {
    private final class Storage: Sendable {
        let policy: PinPolicy?
        let store: PinStore?
        let hash: Int

        init(policy: PinPolicy?, store: PinStore?) {
            self.policy = policy
            self.store = store
            hash = policy?.hashValue ?? store?.hashValue ?? 0
        }
    }

    private let storage: Storage

    /// Pins that never change; two sources of equal ones are equal.
    package static func fixed(_ policy: PinPolicy) -> PinSource {
        PinSource(storage: Storage(policy: policy, store: nil))
    }

    /// Pins that may change.
    package static func store(_ store: PinStore) -> PinSource {
        PinSource(storage: Storage(policy: nil, store: store))
    }

    /// The pins that hold now.
    package var current: PinStore.Edition {
        storage.store?.current
            ?? PinStore.Edition(
                policy: storage.policy ?? PinPolicy(hosts: [], allowsUnpinnedHosts: false),
                generation: 0
            )
    }

    /// The number of the pins that hold now.
    package var generation: UInt64 { storage.store?.generation ?? 0 }

    package static func == (left: PinSource, right: PinSource) -> Bool {
        left.storage === right.storage
            || left.storage.hash == right.storage.hash && left.storage.policy == right.storage.policy
                && left.storage.store == right.storage.store
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.hash)
    }
}
