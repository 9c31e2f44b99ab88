import MastheadNetworking
import Synchronization

/// An app's metrics, as small as they get: how many attempts there were, and how long they took together.
final class Meter: NetworkObserver {
    private let attempts = Atomic(0)
    private let nanoseconds = Atomic<Int64>(0)

    /// How many attempts are over.
    var attemptCount: Int { attempts.load(ordering: .relaxed) }

    func observe(_ event: NetworkEvent) {
        guard case .attemptFinished(let record) = event.kind else { return }
        attempts.add(1, ordering: .relaxed)
        nanoseconds.add(Int64(record.duration.attoseconds / 1_000_000_000), ordering: .relaxed)
    }
}
