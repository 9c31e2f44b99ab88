extension CachePartition {
    /// Gives an answer that is kept tags besides those it has: it belongs to all who asked for it, whoever was the first.
    func tag(_ record: CacheRecord, of key: EntryKey, with tags: Set<String>) {
        guard !tags.isEmpty, !hasEnded else { return }
        let place = MemoryTier.Key(partition: number, key: key)
        let known = memory[place]?.candidates.first { $0.record.revision == record.revision }?.tags
        guard known?.isSuperset(of: tags) != true else { return }
        updateMemory(of: key) { slot in
            for index in slot?.candidates.indices ?? 0..<0
            where slot?.candidates[index].record.revision == record.revision {
                slot?.candidates[index].tags.formUnion(tags)
            }
        }
        store.enqueue(.tag(key, revision: record.revision, tags)) { [self] rows in
            // What memory takes for written it must not.
            if rows == nil { forgetInMemory(key) }
        }
    }
}
