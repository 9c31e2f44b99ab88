import MastheadLock

/// A session that keeps a partition's secret whether or not there is a cache.
protocol KeyedSession: RepositorySession {
    /// The partition whose secret lies with the credentials; `nil` without a session.
    var keptPartition: SessionPartition? { get }
}

extension SessionManager: KeyedSession {
    var keptPartition: SessionPartition? { ledger.withLock { $0.credentials?.partition } }
}
