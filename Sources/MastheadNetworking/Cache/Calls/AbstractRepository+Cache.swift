import FoundationEssentials

extension AbstractRepository {
    /// What is kept for this repository's environment and for the user of its session.
    ///
    /// `nil` for a repository without a cache, and while there is no session if it has one.
    public final var cached: CachePartition? {
        pipeline.cache?.partition(for: configuration, session: pipeline.session)
    }

    /// Makes the call, and tells where the value comes from and how old it is.
    ///
    /// ```swift
    /// let entry = try await performCached(.get("issues/\(id)").cached(.networkFirst())).get()
    /// show(entry.value, asOf: entry.origin == .disk ? entry.storedAt : nil)
    /// ```
    ///
    /// It is ``perform(_:)-(Request<Value>)`` in everything else. Without a cache every value comes from the network.
    public final func performCached<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) async -> Result<CacheEntry<Value>, RepositoryError> {
        let time = configuration.time
        return await pipeline.run(request, polls: false, model: Value.self, prepare: prepare) {
            (response) throws(RepositoryError) in
            let value = try response.model(Value.self)
            return response.cached?.entry(of: value, at: time.date) ?? CacheEntry(value: value, storedAt: time.date)
        }
    }

    /// What is kept, at once, and then what the server has now.
    ///
    /// ```swift
    /// for await result in performRefreshing(.get("issues/\(id)")) {
    ///     switch result {
    ///     case .success(let entry): show(entry.value, isOld: entry.freshness == .stale)
    ///     case .failure(let error): showHint(error)      // what was shown stays
    ///     }
    /// }
    /// ```
    ///
    /// What is fresh is all there is: the server is not asked. What is stale comes first, and after it the server's answer or
    /// why there is none. What is not kept comes from the server alone. The request's own policy does not count.
    public final func performRefreshing<Value: Decodable & Sendable>(
        _ request: Request<Value>
    ) -> RefreshingResults<Value> {
        RefreshingResults(
            look: { [self] in await performCached(request.cached(.cacheOnly, tags: request.cacheTags)) },
            ask: { [self] in await performCached(request.cached(.networkOnly, tags: request.cacheTags)) }
        )
    }

    /// What is kept of the answer to a request, now and after each change, whoever asked the server.
    ///
    /// ```swift
    /// for await entry in issues.changes(of: .get("issues/\(id)")) {
    ///     if let entry { show(entry.value) }
    /// }
    /// ```
    ///
    /// Nothing is asked: another call that brings a new answer makes the change. A stale answer counts as well as a fresh one.
    ///
    /// - Returns: The entries; `nil` while nothing is kept that may be served without asking. It is over at once without a
    ///   cache or a session, and ends with the session.
    public final func changes<Value: Decodable & Sendable>(
        of request: Request<Value>
    ) -> CacheChanges<CacheEntry<Value>?> {
        let partition = cached
        let request = request.cached(.cacheOnly)
        let time = configuration.time
        return CacheChanges(.many, in: partition) { [self] known in
            guard let partition, !partition.hasEnded else { return nil }
            let kept = await pipeline.run(request, polls: false, model: Value.self, prepare: prepare) {
                (response) throws(RepositoryError) in
                let value = try response.model(Value.self)
                guard let cached = response.cached else { throw .notCached }
                return (cached.entry(of: value, at: time.date), cached.kept.record.revision)
            }
            let (entry, revision) = (try? kept.get()).map { ($0, $1) } ?? (nil, 0)
            return known == [revision] ? nil : .init(print: [revision], element: entry)
        }
    }
}
