public import FoundationEssentials

extension CachePartition {
    /// The bytes that a value is kept as, without decoding them; `nil` if there are none.
    ///
    /// For what an app wants to hand on as it is, or to look at before it changes a model: JSON, fresh or not, and of
    /// whichever ``VersionedModel/modelVersion``.
    ///
    /// - Parameters:
    ///   - type: The value's type.
    ///   - key: The value's key.
    /// - Returns: The bytes.
    @concurrent
    public func payload<Value: Codable & Sendable>(_ type: Value.Type, for key: String) async -> Data? {
        guard !hasEnded else { return nil }
        let key = EntryKey(type: type, text: key)
        if let slot = memory[MemoryTier.Key(partition: number, key: key)], slot.isPinned {
            guard !slot.candidates.isEmpty else { return nil }
            // What was kept a moment ago is bytes only on disk.
            try? await store.settle()
        }
        if let found = store.payloadNow(of: key), !hasEnded {
            store.touch(found.row)
            return found.body
        }
        guard let row = await store.row(of: key), !hasEnded else { return nil }
        store.touch(row.record.row)
        return row.body
    }
}
