/// Sees what every call does, from its start to its end: for metrics, traces and a developer's console.
///
/// ```swift
/// struct Meter: NetworkObserver {
///     func observe(_ event: NetworkEvent) {
///         guard case .attemptFinished(let record) = event.kind else { return }
///         histogram.record(record.duration, label: "\(record.outcome)")
///     }
/// }
///
/// $0.observer = Meter()
/// ```
///
/// Each call is told of by one ``NetworkEvent/Kind/callStarted(method:url:)``, then by what it does, and by exactly one
/// ``NetworkEvent/Kind/callFinished(_:)``, however it ends. Each attempt within it is told of by one
/// ``NetworkEvent/Kind/attemptStarted(number:method:url:)`` and exactly one ``NetworkEvent/Kind/attemptFinished(_:)``. No event
/// holds a secret: URLs come without theirs, and there is no header, no query value that is named as one, and no body.
public protocol NetworkObserver: Sendable {
    /// Takes one event.
    ///
    /// It is called on the thread the call is on, for several calls at once: it must not block, and must not make a call
    /// itself. Those of one call come in order.
    func observe(_ event: NetworkEvent)
}
