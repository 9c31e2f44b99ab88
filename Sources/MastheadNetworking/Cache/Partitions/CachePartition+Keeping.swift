import FoundationEssentials

extension CachePartition {
    /// Keeps a value under a key, in the place of what was there.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key: any text. It is stored, and in the clear unless the cache is encrypted.
    ///   - timeToLive: How long it counts as fresh; `nil` for always.
    ///   - tags: What it can be found, observed and removed by together with others.
    /// - Throws: ``CacheError/unencodable(model:reason:)``; ``CacheError/closed`` once the session is over. What keeps it
    ///   from getting to the disk later is reported to ``ModelCache/Options/onProblem``, and to whoever waits in
    ///   ``flush()``; then it is not kept at all, and what was there before is there again.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: String,
        timeToLive: Duration? = nil,
        tags: Set<String> = []
    ) async throws(CacheError) {
        let entry = try make(value, key, timeToLive, tags)
        try await store.waitForRoom()
        try keep([entry])
    }

    /// Forgets the value of a key; where there is none, it does nothing.
    public func remove<Value: Codable & Sendable>(_ type: Value.Type, for key: String) async throws(CacheError) {
        guard !hasEnded else { throw .closed }
        try await store.waitForRoom()
        let key = EntryKey(type: type, text: key)
        forget([key])
        store.enqueue(.remove(key)) { [self] in unpin([key], rows: $0) }
        broadcaster.changed(key)
    }

    /// Forgets all that has a tag, whatever its type; it returns once that is so on disk.
    public func removeAll(tagged tag: String) async throws(CacheError) {
        guard !hasEnded else { throw .closed }
        try await store.perform(.removeTagged(tag))
        forgetInMemory()
        broadcaster.changed()
    }

    /// Forgets all that is in this partition, answers of servers too; it returns once that is so on disk.
    public func removeAll() async throws(CacheError) {
        guard !hasEnded else { throw .closed }
        try await store.perform(.clear)
        forgetInMemory()
        broadcaster.changed()
    }

    /// Waits until all that was kept or forgotten before is on disk.
    ///
    /// On disk means committed: it outlives the end of the app, and its crash; a loss of power may take back the last
    /// moments, and never leaves half of anything.
    ///
    /// - Throws: What kept something from being written since the last time.
    public func flush() async throws(CacheError) {
        try await store.flush()
    }

    // MARK: Inside

    private func make<Value: Codable & Sendable>(
        _ value: Value,
        _ key: String,
        _ timeToLive: Duration?,
        _ tags: Set<String>
    ) throws(CacheError) -> NewEntry {
        var bytes: [UInt8] = []
        try Self.encode(value, to: &bytes, limit: options.diskLimit / 4)
        let body = Data(bytes)
        let now = options.time.date
        let record = CacheRecord(
            revision: CacheRecord.newRevision(),
            version: Self.version(of: Value.self),
            stored: now,
            expires: timeToLive.map { now + $0.timeInterval },
            size: body.count,
            pieces: CacheFile.pieces(of: body.count)
        )
        let key = EntryKey(type: Value.self, text: key)
        return NewEntry(
            key: key,
            record: record,
            body: body,
            tags: tags,
            type: Value.self,
            value: (ObjectIdentifier(Value.self), value)
        )
    }

    /// Writes the bytes of a value behind others.
    static func encode<Value: Encodable>(
        _ value: Value,
        to bytes: inout [UInt8],
        limit: Int
    ) throws(CacheError) {
        let start = bytes.count
        do {
            try ModelCoding.encode(value, to: &bytes)
        } catch {
            throw .unencodable(model: ModelName(Value.self).text, reason: ModelCoding.reason(error))
        }
        guard bytes.count - start <= limit else { throw .tooLarge(limit: limit) }
    }

    /// Puts entries into memory, and has them written.
    ///
    /// - Parameters:
    ///   - entries: What to keep.
    ///   - known: What the disk has of an answer's key.
    /// - Throws: ``CacheError/closed``.
    func keep(_ entries: [NewEntry], known: [KeptAnswer] = []) throws(CacheError) {
        guard !hasEnded else { throw .closed }
        pin(entries, known)
        // A session that ended meanwhile has emptied the memory before this came into it.
        guard !hasEnded else {
            memory.removeAll(of: number)
            throw .closed
        }
        store.enqueue(.put(entries), size: entries.reduce(0) { $0 + $1.body.count }) { [self] rows in
            unpin(entries.map(\.key), rows: rows)
        }
        for entry in entries { broadcaster.changed(entry.key) }
    }

    private func pin(_ entries: [NewEntry], _ known: [KeptAnswer]) {
        broadcaster.announce()
        for entry in entries {
            updateMemory(of: entry.key) { slot in
                slot = entry.slot(after: slot, known: known)
            }
        }
    }

    func forget(_ keys: [EntryKey]) {
        broadcaster.announce()
        for key in keys {
            updateMemory(of: key) { slot in
                slot = MemorySlot(candidates: [], pins: (slot?.pins ?? 0) + 1)
            }
        }
    }

    /// The disk knows of a write, or never will.
    ///
    /// - Parameters:
    ///   - keys: What was written.
    ///   - rows: Where it stands now, by its revision; `nil` if it could not be written: then only the disk tells what
    ///     there is, as soon as nothing else is on its way there.
    func unpin(_ keys: [EntryKey], rows: [Int64: Int64]?) {
        for key in keys {
            updateMemory(of: key) { slot in
                guard var content = slot else { return }
                content.pins = max(0, content.pins - 1)
                if rows == nil { content.isComplete = false }
                for place in content.candidates.indices {
                    if let row = rows?[content.candidates[place].record.revision] {
                        content.candidates[place].record.row = row
                        content.candidates[place].body = nil
                    }
                }
                // That nothing is there can be seen on disk, and so can what memory does not know.
                let isSpare = content.candidates.isEmpty || !content.isComplete
                slot = isSpare && !content.isPinned ? nil : content
            }
            // Who was told of it is told that it is not so.
            if rows == nil { broadcaster.changed(key) }
        }
    }
}

extension Duration {
    /// The same in seconds.
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
