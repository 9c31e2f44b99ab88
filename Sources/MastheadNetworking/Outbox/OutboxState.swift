/// What is in an outbox, at one moment.
///
/// ```swift
/// for try await state in outbox.states { badge.show(waiting: state.pending + state.sending, parked: state.parked) }
/// ```
public struct OutboxState: Sendable, Hashable {
    /// How many writes wait.
    public let pending: Int

    /// How many are under way.
    public let sending: Int

    /// How many wait for the app to retry or to discard them.
    public let parked: Int

    /// The writes that were enqueued first, up to a hundred; ``Outbox/items()`` has all.
    public let items: [OutboxItem]
}
