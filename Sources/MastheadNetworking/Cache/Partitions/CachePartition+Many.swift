import FoundationEssentials
import MastheadSQLite

extension CachePartition {
    /// Keeps many values, each under its key: all of them in one transaction, or none.
    ///
    /// It returns once they are on disk. They are encoded while others of them are being written, on several threads and
    /// off the caller's actor, so that they never are in memory as bytes all at once.
    ///
    /// - Parameters:
    ///   - values: The values by their keys.
    ///   - timeToLive: How long they count as fresh; `nil` for always.
    ///   - tags: The tags of each of them.
    /// - Throws: What kept them from being encoded or written; then none was.
    @concurrent
    public func set<Value: Codable & Sendable>(
        _ values: [String: Value],
        timeToLive: Duration? = nil,
        tags: Set<String> = []
    ) async throws(CacheError) {
        guard !hasEnded else { throw .closed }
        let now = options.time.date
        // In the order of their keys, so that each finds its place in the file's index beside the one before.
        let keys = KeyOrder(Array(values.keys))
        let prefix = isSealed ? nil : TypeNames.prefix(of: Value.self)
        let models = NewModels(
            type: Value.self,
            version: Self.version(of: Value.self),
            stored: now,
            expires: timeToLive.map { now + $0.timeInterval },
            tags: tags,
            count: keys.count
        ) { [file = store.file, limit = options.diskLimit / 4] (place, batch) throws(CacheError) in
            let key = keys[place]
            guard let value = values[key] else { return }
            try batch.append(
                key: { (bytes) throws(CacheError) in
                    if let prefix {
                        bytes += prefix
                        bytes += key.utf8
                    } else {
                        bytes += try Self.index(EntryKey(type: Value.self, text: key), in: file)
                    }
                },
                body: { (bytes) throws(CacheError) in try Self.encode(value, to: &bytes, limit: limit) }
            )
        }
        // They may be more than memory should hold, so that they are read from the disk when they are wanted.
        try await store.perform(models)
        broadcaster.announce()
        memory.removeAll(of: number, Value.self, in: values)
        broadcaster.changed()
    }

    /// What stands for a key in the file.
    private static func index(_ key: EntryKey, in file: CacheFile) throws(CacheError) -> [UInt8] {
        do throws(DatabaseError) {
            return try file.index(key)
        } catch {
            throw CacheError(error)
        }
    }
}
