import MastheadLock

/// A token store that has a cache forget a user before it forgets the user's credentials.
///
/// In that order: whoever is killed in between still has the session, and its end can be made again.
final class CacheEndingStore: TokenStore {
    private let store: any TokenStore
    private let cache: ModelCache
    /// Whose the credentials are that the store has, and whether that is known.
    private let state = Lock<(user: SessionPartition?, isKnown: Bool)>((nil, false))

    init(_ store: any TokenStore, _ cache: ModelCache) {
        self.store = store
        self.cache = cache
    }

    func load() async throws(TokenStoreError) -> SessionCredentials? {
        let credentials = try await store.load()
        // One that was given up may come after what was done since.
        if !Task.isCancelled { state.withLock { $0 = (credentials?.partition, true) } }
        return credentials
    }

    func save(_ credentials: SessionCredentials) async throws(TokenStoreError) {
        let old = await user()
        if old != credentials.partition { await end(old) }
        try await store.save(credentials)
        state.withLock { $0 = (credentials.partition, true) }
    }

    func remove() async throws(TokenStoreError) {
        await end(await user())
        try await store.remove()
        state.withLock { $0 = (nil, true) }
    }

    /// Whose the credentials are that are there.
    private func user() async -> SessionPartition? {
        // Of an earlier run, whose credentials nobody has asked for; what cannot be read is replaced or removed all the same.
        if !state.withLock({ $0.isKnown }) { _ = try? await load() }
        return state.withLock { $0.user }
    }

    private func end(_ user: SessionPartition?) async {
        guard let user else { return }
        do throws(CacheError) {
            try await cache.remove(user)
        } catch {
            cache.options.onProblem?(.unwritable(error))
        }
    }
}
