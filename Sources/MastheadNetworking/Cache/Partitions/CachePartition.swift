import FoundationEssentials
import MastheadLock
import MastheadSQLite
import Synchronization

/// What is kept for one environment and one user: values by key, with a time to live and tags.
///
/// ```swift
/// guard let bookmarks = cache.partition(for: .production, session: session) else { return }
/// try await bookmarks.set(bookmark, for: bookmark.id, timeToLive: .seconds(3600), tags: ["orbit-12"])
///
/// if let bookmark = await bookmarks.value(Bookmark.self, for: "b-7") { show(bookmark) }
/// ```
///
/// A key stands for one value of each type. What is kept is in memory when ``set(_:for:timeToLive:tags:)`` returns and on
/// disk a moment later, in the order in which it was kept; ``flush()`` waits for that. Every method is safe to call from
/// any task. Once the session is over nothing is found and nothing is kept.
///
/// ## Topics
///
/// ### Reading
/// - ``value(_:for:)``
/// - ``entry(_:for:)``
/// - ``entries(_:tagged:)``
/// - ``payload(_:for:)``
///
/// ### Keeping
/// - ``set(_:for:timeToLive:tags:)``
/// - ``set(_:timeToLive:tags:)``
/// - ``remove(_:for:)``
/// - ``removeAll(tagged:)``
/// - ``removeAll()``
/// - ``flush()``
///
/// ### Observing
/// - ``changes(_:for:)``
/// - ``changes(_:tagged:)``
public final class CachePartition: Sendable {
    let number: Int
    let memory: MemoryTier
    let options: ModelCache.Options
    let store: CacheStore
    let broadcaster = CacheBroadcaster()
    private let isOver = Atomic(false)
    private let isWatching = Atomic(false)
    private let closing = Lock<Task<Result<Void, CacheError>, Never>?>(nil)
    /// Counts what has made answers invalid: one that was asked for before is not kept after it.
    private let invalidations = Lock(0)
    /// The keys that are being asked about behind what was served.
    let refreshing = Lock<Set<EntryKey>>([])

    init(
        number: Int,
        file: String,
        sealer: CacheSealer?,
        memory: MemoryTier,
        options: ModelCache.Options,
        whenOpening: @escaping @Sendable () throws(DatabaseError) -> Void
    ) {
        self.number = number
        self.memory = memory
        self.options = options
        store = CacheStore(file: file, sealer: sealer, memory: memory, options, whenOpening)
    }

    /// What is not written yet keeps it; its file is closed when nobody has it any more.
    deinit { memory.removeAll(of: number) }

    /// Whether what is in its file is sealed.
    var isSealed: Bool { store.file.isSealed }

    /// Whether its session is over, or it was closed.
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    // MARK: Reading

    /// A value that is kept and fresh; `nil` if there is none.
    public func value<Value: Codable & Sendable>(_ type: Value.Type = Value.self, for key: String) async -> Value? {
        guard let entry = await entry(type, for: key), entry.freshness == .fresh else { return nil }
        return entry.value
    }

    /// A value that is kept, fresh or not, with what is known of it; `nil` if there is none.
    ///
    /// From memory it comes without a look at the disk and without decoding. One that does not decode, or is of another
    /// ``VersionedModel/modelVersion``, is not there.
    public func entry<Value: Codable & Sendable>(
        _ type: Value.Type = Value.self,
        for key: String
    ) async -> CacheEntry<Value>? {
        let found = await find(type, EntryKey(type: type, text: key))
        return found.flatMap { entry(of: $0) }
    }

    /// A value that was found, whatever its type: generic types would have to be made again for each look.
    struct Found: Sendable {
        let value: any Sendable
        let record: CacheRecord
        let origin: CacheOrigin
    }

    /// Looks for a value in memory, then on disk.
    func find<Value: Codable & Sendable>(_ type: Value.Type, _ key: EntryKey) async -> Found? {
        let version = broadcaster.version
        switch remembered(type, key) {
        case .present(let found): return found
        case .absent: return nil
        case .unknown:
            return await stored(key, since: version) { [self] row in
                guard let value = decoded(type, row) else { return nil }
                return (ObjectIdentifier(type), value)
            }
        }
    }

    /// What memory knows of a key.
    enum Remembered {
        case present(Found)
        case absent
        case unknown
    }

    /// Asks memory for a model.
    func remembered(_ type: Any.Type, _ key: EntryKey) -> Remembered {
        var isFirst = false
        guard let slot = memory.use(MemoryTier.Key(partition: number, key: key), isFirst: &isFirst) else {
            return hasEnded ? .absent : .unknown
        }
        guard let candidate = slot.candidates.first else { return .absent }
        guard let value = candidate.value(of: type) else { return .unknown }
        if isFirst, let row = candidate.record.row { store.touch(row) }
        return .present(Found(value: value, record: candidate.record, origin: .memory))
    }

    /// Reads a model from the disk, off the caller's actor.
    @concurrent
    private func stored(
        _ key: EntryKey,
        since version: Int,
        decode: @Sendable (StoredRow) -> (type: ObjectIdentifier, value: any Sendable)?
    ) async -> Found? {
        guard let row = await store.row(of: key) else { return nil }
        guard let decoded = decode(row), !hasEnded else { return nil }
        store.touch(row.record.row)
        remember(decoded, row.record, key, ifUnchangedSince: version)
        return Found(value: decoded.value, record: row.record, origin: .disk)
    }

    /// Makes a value of what was read; `nil` if it is of another shape, which is reported.
    func decoded<Value: Codable & Sendable>(_ type: Value.Type, _ row: StoredRow) -> Value? {
        guard row.record.version == Self.version(of: type), let body = row.body else { return nil }
        do {
            return try ModelCoding.decode(type, from: body)
        } catch {
            options.onProblem?(.undecodable(ModelCoding.failure(of: type, error, in: body)))
            return nil
        }
    }

    /// Keeps a decoded value in memory, unless something may have taken its place meanwhile.
    private func remember(
        _ value: (type: ObjectIdentifier, value: any Sendable),
        _ record: CacheRecord,
        _ key: EntryKey,
        ifUnchangedSince version: Int
    ) {
        guard memory.hasRoom else { return }
        updateMemory(of: key) { [self] slot in
            guard slot == nil, broadcaster.version == version, !hasEnded else { return }
            slot = MemorySlot(candidates: [.init(record: record, values: [value])])
        }
    }

    /// Changes what memory holds of a key; from the first time on it is heard of what other processes change.
    ///
    /// Who reads what was kept and nothing else, as most apps do at their start, needs no thread that listens, and no
    /// connection that looks whether it was others.
    func updateMemory(of key: EntryKey, _ change: @Sendable (inout MemorySlot?) -> Void) {
        watchOthers()
        memory.update(MemoryTier.Key(partition: number, key: key), change)
    }

    /// Whether it is heard of what other processes change.
    package var hearsOthers: Bool { isWatching.load(ordering: .relaxed) }

    /// Hears from now on of what other processes change: memory must not hold it, and observers want to know.
    ///
    /// If the file is open already, it tells of a change once that is set up, whether there was one or not: what was read
    /// in between may be old.
    func watchOthers() {
        guard !isWatching.load(ordering: .relaxed), !isWatching.exchange(true, ordering: .relaxed) else { return }
        store.whenChangedByOthers { [weak self] in
            guard let self else { return }
            forgetInMemory()
            broadcaster.changed()
        }
    }

    /// Puts an entry together of what was found; `nil` if that is of another type.
    func entry<Value: Sendable>(of found: Found) -> CacheEntry<Value>? {
        (found.value as? Value).map { entry(of: $0, found.record, from: found.origin) }
    }

    /// Puts an entry together of what is known now.
    func entry<Value: Sendable>(of value: Value, _ record: CacheRecord, from origin: CacheOrigin) -> CacheEntry<Value> {
        let now = options.time.date
        return CacheEntry(
            value: value,
            origin: origin,
            storedAt: record.stored,
            age: .seconds(max(0, now.timeIntervalSince(record.stored))),
            freshness: record.isFresh(at: now) ? .fresh : .stale
        )
    }

    /// The version of a type's shape.
    static func version(of type: Any.Type) -> Int {
        (type as? any VersionedModel.Type)?.modelVersion ?? 0
    }

    // MARK: An end

    /// Lets go of everything: nothing is found or kept any more.
    func end() {
        isOver.store(true, ordering: .releasing)
        broadcaster.end()
        memory.removeAll(of: number)
    }

    /// Writes what is not on disk yet, and closes the file; everybody who asks waits for that.
    func close() async throws(CacheError) {
        let task = closing.withLock { closing in
            if let closing { return closing }
            isOver.store(true, ordering: .releasing)
            let task = Task<Result<Void, CacheError>, Never> { [self] in
                defer { memory.removeAll(of: number) }
                do throws(CacheError) {
                    try await store.close()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            closing = task
            return task
        }
        broadcaster.end()
        try await task.value.get()
    }

    /// How often answers were made invalid.
    var invalidationCount: Int { invalidations.withLock { $0 } }

    /// Answers that are under way may be older than what was just changed.
    func invalidate() { invalidations.withLock { $0 += 1 } }

    /// Lets the next look be at the disk: for a key, or for all.
    func forgetInMemory(_ key: EntryKey? = nil) {
        broadcaster.announce()
        if let key {
            memory.removeAll(of: number, [key])
        } else {
            memory.removeAll(of: number) { !$0.isPinned }
        }
    }

    /// Closes the file without writing what is left, and removes it.
    func removeFile() async {
        await store.remove()
    }
}

extension CacheRecord {
    /// How far clocks may differ before a record counts as kept in the future.
    private static let tolerance: TimeInterval = 60

    /// Whether a value kept with a time to live still lives.
    func isFresh(at date: Date) -> Bool {
        guard let expires else { return true }
        // A clock that was set back would keep it alive for ever: nobody can tell how old it is.
        return date < expires && stored <= date + Self.tolerance
    }
}
