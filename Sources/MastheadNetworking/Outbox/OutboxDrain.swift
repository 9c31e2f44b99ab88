/// What came of sending the writes of an outbox.
///
/// ```swift
/// let drain = await outbox.drain()
/// if drain.isEmpty { showSynchronized() }
/// ```
public struct OutboxDrain: Sendable {
    /// How many writes the server took.
    public internal(set) var sent = 0

    /// How many were parked, without those that depend on them.
    public internal(set) var parked = 0

    /// How many are left, the parked ones among them.
    public internal(set) var left = 0

    /// What ended it before each write was sent or parked; `nil` if nothing did.
    ///
    /// ``RepositoryError/unauthenticatedSession(_:)`` if the user's session is over, ``RepositoryError/cancelled`` with its
    /// task; otherwise what the last attempt in vain failed of.
    public internal(set) var failure: RepositoryError?

    /// Whether nothing is left to do.
    public var isEmpty: Bool { left == 0 }
}
