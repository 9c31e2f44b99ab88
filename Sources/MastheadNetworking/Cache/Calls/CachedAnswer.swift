import FoundationEssentials

/// Where an answer that is handed on comes from, and what it was decoded to before.
struct CachedAnswer: Sendable {
    let partition: CachePartition
    let key: EntryKey
    let kept: KeptAnswer

    /// Where it comes from, as an app wants to know it.
    let origin: CacheOrigin

    /// Whether the server was not asked about it just now.
    var isUnconfirmed: Bool { origin == .memory || origin == .disk }

    /// What is known of it at a date.
    func entry<Value: Sendable>(of value: Value, at now: Date) -> CacheEntry<Value> {
        CacheEntry(
            value: value,
            origin: origin,
            storedAt: kept.record.stored,
            age: .seconds(max(0, kept.answer.freshness.age(at: now))),
            freshness: kept.answer.isFresh(at: now) ? .fresh : .stale
        )
    }
}

extension HTTPResponse {
    /// Decodes the answer, unless that was done before for the same payload.
    func model<Value: Decodable & Sendable>(_ type: Value.Type) throws(RepositoryError) -> Value {
        // In two steps: nothing would pass for an optional value that is `nil`.
        if let known = cached?.kept.value, let value = known as? Value { return value }
        let value = try value(type)
        if let cached { cached.partition.remember(value, decodedFrom: cached.kept.record, key: cached.key) }
        return value
    }
}
