/// How an outbox sends.
///
/// ```swift
/// var options = OutboxOptions()
/// options.holdsLaneOfParked = false
/// ```
public struct OutboxOptions: Sendable, Hashable {
    /// How often a write is sent in one drain, and how long it waits in between; five times by default, a second as the
    /// first wait at most and a minute as the longest.
    ///
    /// A `Retry-After` of up to five minutes is waited for; for a longer one the write stays until a later drain.
    /// The policy's statuses do not matter: see ``Outbox``.
    public var retry = RetryPolicy(maximumAttempts: 5, baseDelay: .seconds(1), maximumDelay: .seconds(60))

    /// How many lanes are sent at once; 4 by default.
    public var lanesAtOnce = 4

    /// Whether the writes behind a parked one of their lane wait until it is retried or discarded; `true` by default.
    ///
    /// Otherwise they go on without it. Other lanes always do.
    public var holdsLaneOfParked = true

    /// What the writes are sealed with on disk; `nil`, the default, leaves them in the clear, for the owner of the file to
    /// read.
    ///
    /// What is left from before it was set is sealed when the outbox is opened, and opened again when it is `nil` again
    /// and the session has the key.
    public var encryption: OutboxEncryption?

    /// Makes the default options.
    public init() {}
}
