import MastheadLock
import MastheadSQLite

extension CacheStore {
    /// Remembers that an entry was used, unless nothing has to make room for long: see ``CacheFile/touch(_:_:)``.
    func touch(_ row: Int64?) {
        guard let row else { return }
        let isMany = state.withLock { state in
            if state.unaskedRoom > 0 {
                state.passedOver += 1
                // Other processes may have filled the file meanwhile.
                if state.passedOver >= Self.passLimit { state.unaskedRoom = 0 }
                return false
            }
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

    /// Notes that the file grows by so many bytes: what is used may have to be told again.
    func grow(by size: Int) {
        let mustTell = state.withLock { state in
            defer { state.unaskedRoom = max(0, state.unaskedRoom - size) }
            return state.unaskedRoom > 0 && state.unaskedRoom <= size
        }
        if mustTell { memory.beginEpoch() }
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
        } whenDone: { [state] result in
            let room = (try? result.get()) ?? 0
            state.withLock { state in
                state.isTelling = false
                (state.unaskedRoom, state.passedOver) = (room, 0)
            }
        }
    }
}
