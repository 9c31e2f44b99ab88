import MastheadNetworking
import Synchronization

nonisolated final class Counts: Sendable {
    private let sums = Mutex<[String: Duration]>([:])

    func add(_ duration: Duration, to name: String) {
        sums.withLock { $0[name, default: .zero] += duration }
    }
}

// snippet
nonisolated struct Meter: NetworkObserver {
    let counts: Counts

    func observe(_ event: NetworkEvent) {
        switch event.kind {
        case .attemptFinished(let record):
            counts.add(record.duration, to: "attempt.\(record.outcome)")
            if let handshake = record.metrics?.tls { counts.add(handshake, to: "tls") }
        case .callFinished(let record):
            counts.add(record.duration, to: "call.\(record.method)")
        default: break
        }
    }
}
// end

private func watch() async {
    // snippet
    let events = NetworkEvents()
    let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.observer = events
        $0.tracing = Tracing()
    }
    for await event in events.events { print(event) }
    // end
    _ = configuration
}
