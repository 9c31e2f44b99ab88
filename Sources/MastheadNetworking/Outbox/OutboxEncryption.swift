/// What an outbox's writes are sealed with on disk (AES-256-GCM).
///
/// ```swift
/// var options = OutboxOptions()
/// options.encryption = .session
/// ```
///
/// Sealed are the target with its parameters, the header fields, the body, the value that is shown, what the last attempt
/// failed of, and the names: kind, lane, and what the value is of. How many writes there are, how big, what depends on
/// what and when they were enqueued can be seen.
@nonexhaustive
public enum OutboxEncryption: Sendable, Hashable {
    /// With a key that lies with the session's credentials, in its ``TokenStore``: the one of its
    /// ``RepositorySession/partition``.
    ///
    /// It goes with the session. What is left in the outbox then can be read by nobody any more, not after the user's next
    /// login either: drain it before the logout.
    case session

    /// With a key made of a secret that the app keeps, at least 16 random bytes in any spelling: it may outlive a logout.
    case secret(Secret)
}
