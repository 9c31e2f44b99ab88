import MastheadLock
import MastheadSQLite

extension CacheStore {
    /// Remembers that an entry was used.
    func touch(_ row: Int64?, _ memory: MemoryTier) {
        guard let row else { return }
        let isMany = state.withLock { state in
            // Whoever reads faster than that can be written must not hold up what is to be kept.
            guard !state.isTelling || state.touched.count < Self.touchLimit else { return false }
            if state.touched.last != row { state.touched.append(row) }
            return !state.isTelling && state.touched.count >= Self.touchLimit
        }
        if isMany {
            flushTouches()
            memory.beginEpoch()
        }
    }

    /// Tells the file what was used, unless it is being told already.
    func flushTouches(atLeast count: Int = CacheStore.touchLimit) {
        let rows = state.withLock { state -> [Int64] in
            guard state.touched.count >= count, !state.isTelling else { return [] }
            defer {
                state.touched = []
                state.isTelling = true
            }
            return state.touched
        }
        guard !rows.isEmpty else { return }
        database.enqueue { [file] (connection) throws(DatabaseError) in
            try file.touch(rows, connection)
        } whenDone: { [state] _ in
            state.withLock { $0.isTelling = false }
        }
    }
}
