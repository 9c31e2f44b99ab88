import MastheadSQLite

extension CachePartition {
    /// Waits until what other processes change is heard of; memory is empty then.
    package func settle() async {
        watchOthers()
        await store.settleWatching()
    }

    /// How many observe something of it.
    package var observerCount: Int { broadcaster.count }

    /// The value of a key, now and after each change.
    ///
    /// - Returns: The entries; `nil` while there is none.
    public func changes<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        for key: String
    ) -> CacheChanges<CacheEntry<Value>?> {
        let place = EntryKey(type: type, text: key)
        return CacheChanges(.key(place), in: self) { [self] known in
            guard !hasEnded else { return nil }
            let found = await find(type, place)
            let print = [found?.record.revision ?? 0]
            return print == known ? nil : .init(print: print, element: found.flatMap { entry(of: $0) })
        }
    }

    /// The values of a type that have a tag, now and after each change, in the order in which they were first kept.
    ///
    /// - Parameters:
    ///   - type: The values' type.
    ///   - tag: The tag; `nil` for all values of the type.
    /// - Returns: The lists.
    public func changes<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        tagged tag: String? = nil
    ) -> CacheChanges<[CacheEntry<Value>]> {
        CacheChanges(.many, in: self) { [self] known in
            guard !hasEnded else { return nil }
            try? await store.settle()
            let found = await store.readAll { (file, connection) throws(DatabaseError) in
                try file.revisions(tagged: tag, type: type, connection)
            }
            guard let print = found, print != known else { return nil }
            return .init(print: print, element: await entries(type, tagged: tag))
        }
    }

    /// The values of a type that have a tag, in the order in which they were first kept; what no longer decodes is left out.
    ///
    /// It reads all of them from the disk, and decodes them, off the caller's actor.
    ///
    /// - Parameters:
    ///   - type: The values' type.
    ///   - tag: The tag; `nil` for all values of the type.
    /// - Returns: The entries, all of them in memory at once.
    @concurrent
    public func entries<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        tagged tag: String? = nil
    ) async -> [CacheEntry<Value>] {
        guard !hasEnded else { return [] }
        // What was kept a moment ago is among them.
        try? await store.settle()
        let rows = await store.readAll { (file, connection) throws(DatabaseError) in
            try file.rows(tagged: tag, type: type, connection).map { (row) throws(DatabaseError) in
                try file.whole(row, connection)
            }
        }
        guard !hasEnded else { return [] }
        return (rows ?? []).compactMap { row in
            decoded(type, row).map { entry(of: $0, row.record, from: .disk) }
        }
    }
}
