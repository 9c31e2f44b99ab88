package import MastheadNetworking

/// The session of one of many users.
package struct CrashSession: RepositorySession {
    package let grant: SessionGrant?
    package let partition: SessionPartition?

    package init(user: Int, seed: UInt64) {
        grant = SessionGrant(token: "token", session: user, generation: user)
        partition = SessionPartition(secret: Secret("a secret of sixteen bytes and more \(seed) \(user)"))
    }

    package func renewal(
        of grant: SessionGrant,
        isRefused: Bool,
        by deadline: Duration?,
        on time: any TimeSource
    ) async -> SessionRenewal { .refused }
}
