import MastheadLock
import MastheadNetworking

/// Keeps every event.
final class EventLog: NetworkObserver {
    private let collected = Lock<[NetworkEvent]>([])

    func observe(_ event: NetworkEvent) {
        collected.withLock { $0.append(event) }
    }

    /// The events so far, in order.
    var events: [NetworkEvent] { collected.withLock { $0 } }

    /// The records of the calls that are over.
    var calls: [CallRecord] {
        events.compactMap { if case .callFinished(let record) = $0.kind { record } else { nil } }
    }

    /// The records of the attempts that are over.
    var attempts: [ExchangeRecord] {
        events.compactMap { if case .attemptFinished(let record) = $0.kind { record } else { nil } }
    }

    /// How many calls joined the exchange of another.
    var joined: Int {
        events.count { if case .coalesced = $0.kind { true } else { false } }
    }
}
