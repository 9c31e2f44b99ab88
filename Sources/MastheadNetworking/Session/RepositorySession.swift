/// What a repository asks a session: a ``SessionManager``, or one of an app's own.
///
/// ```swift
/// struct KioskSession: RepositorySession {
///     let grant: SessionGrant? = SessionGrant(token: "…", session: 1, generation: 1)
///     func renewal(of grant: SessionGrant, isRefused: Bool, by deadline: Duration?, on time: any TimeSource) async
///         -> SessionRenewal
///     { .refused }
/// }
/// ```
///
/// It is asked from any task, for many calls at once.
public protocol RepositorySession: Sendable {
    /// The leave to send a request; `nil` without a session. It must not wait for anything.
    var grant: SessionGrant? { get }

    /// What the user's data is kept under in a ``ModelCache``; `nil` without a session, and for a user of whom nothing is
    /// kept, which is the default. It must not wait for anything.
    ///
    /// A download that was broken off goes on in a session of the same partition; without one, only in one of the same number in
    /// the same run of the app.
    var partition: SessionPartition? { get }

    /// Gets a new token for one that was refused or ends soon: one flight for all who ask at the same time.
    ///
    /// For a grant that is not the latest of its session, the latest is the answer, at once. And so is the grant itself if it
    /// still holds: nobody waits for a new token who has one to use.
    ///
    /// - Parameters:
    ///   - grant: The grant that is of no more use.
    ///   - isRefused: Whether the server refused it; else it ends soon.
    ///   - deadline: When the call must be over, on `time`; `nil` for no limit.
    ///   - time: The clock of the call.
    /// - Returns: What became of it; ``SessionRenewal/failed(_:)`` with ``RepositoryError/cancelled`` or
    ///   ``RepositoryError/timeout(_:)`` if this call waits no longer.
    func renewal(
        of grant: SessionGrant,
        isRefused: Bool,
        by deadline: Duration?,
        on time: any TimeSource
    ) async -> SessionRenewal
}

extension RepositorySession {
    /// Nothing is kept.
    public var partition: SessionPartition? { nil }
}
