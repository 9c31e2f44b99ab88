import MastheadLock

/// Decoded values and what is known of them, bounded by what they cost; the least recently used go first.
///
/// One for all partitions of a cache, so that one bound holds for all.
final class MemoryTier: Sendable {
    /// What a slot is found by: a partition, and a key in it.
    struct Key: Sendable, Hashable {
        let partition: Int
        let key: EntryKey
    }

    private struct Slot {
        let key: Key
        var content: MemorySlot
        /// When it was last told that the slot is used.
        var epoch: Int
        /// The slots used before and after it.
        var newer: Int?
        var older: Int?
    }

    private struct State {
        var places: [Key: Int] = [:]
        var slots: [Slot?] = []
        var free: [Int] = []
        var newest: Int?
        var oldest: Int?
        var cost = 0
        var epoch = 0

        /// Takes a slot out of the order.
        mutating func unlink(_ place: Int) {
            guard let slot = slots[place] else { return }
            if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
            if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
        }

        /// Puts a slot first.
        mutating func link(_ place: Int) {
            slots[place]?.newer = nil
            slots[place]?.older = newest
            if let newest { slots[newest]?.newer = place }
            newest = place
            oldest = oldest ?? place
        }

        mutating func use(_ place: Int) {
            guard newest != place else { return }
            unlink(place)
            link(place)
        }

        mutating func remove(_ place: Int) {
            guard let slot = slots[place] else { return }
            unlink(place)
            cost -= slot.content.cost
            places[slot.key] = nil
            slots[place] = nil
            free.append(place)
        }

        mutating func put(_ content: MemorySlot, at key: Key) {
            if let place = places[key] {
                cost += content.cost - (slots[place]?.content.cost ?? 0)
                slots[place]?.content = content
                use(place)
                return
            }
            let slot = Slot(key: key, content: content, epoch: epoch)
            let place: Int
            if let last = free.popLast() {
                place = last
                slots[place] = slot
            } else {
                place = slots.count
                slots.append(slot)
            }
            places[key] = place
            cost += content.cost
            link(place)
        }

        /// Lets go of what was used least, until the rest costs no more than the limit; what is not on disk yet stays.
        mutating func trim(to limit: Int) {
            var place = oldest
            while cost > limit, let candidate = place, let slot = slots[candidate] {
                place = slot.newer
                if !slot.content.isPinned { remove(candidate) }
            }
        }
    }

    private let state = Lock(State())
    private let limit: Int

    /// Makes an empty tier.
    ///
    /// - Parameter limit: What all slots may cost, in bytes.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// What all slots cost.
    var cost: Int { state.withLock { $0.cost } }

    /// How many slots there are.
    var count: Int { state.withLock { $0.places.count } }

    /// What stands there.
    subscript(key: Key) -> MemorySlot? {
        state.withLock { state in state.places[key].flatMap { state.slots[$0]?.content } }
    }

    /// What stands there; it counts as used.
    ///
    /// - Parameters:
    ///   - key: Where.
    ///   - isFirst: Is set if it was not used since ``beginEpoch()``: the disk does not know of it.
    /// - Returns: The slot; `nil` if there is none.
    func use(_ key: Key, isFirst: inout Bool) -> MemorySlot? {
        let (content, isNew) = state.withLock { state -> (MemorySlot?, Bool) in
            guard let place = state.places[key] else { return (nil, false) }
            state.use(place)
            let isNew = state.slots[place]?.epoch != state.epoch
            if isNew { state.slots[place]?.epoch = state.epoch }
            return (state.slots[place]?.content, isNew)
        }
        isFirst = isNew
        return content
    }

    /// Has the next use of each slot told again.
    func beginEpoch() {
        state.withLock { $0.epoch += 1 }
    }

    /// Changes what stands there; `nil` takes it out.
    func update(_ key: Key, _ change: @Sendable (inout MemorySlot?) -> Void) {
        state.withLock { state in
            let place = state.places[key]
            var content = place.flatMap { state.slots[$0]?.content }
            change(&content)
            if let content {
                state.put(content, at: key)
                state.trim(to: limit)
            } else if let place {
                state.remove(place)
            }
        }
    }

    /// Takes out some of a partition's slots, but none that the disk does not know of yet.
    func removeAll(of partition: Int, _ keys: Set<EntryKey>) {
        state.withLock { state in
            for key in keys {
                guard let place = state.places[Key(partition: partition, key: key)] else { continue }
                if state.slots[place]?.content.isPinned == false { state.remove(place) }
            }
        }
    }

    /// Takes out all of a partition's slots that a condition holds for.
    func removeAll(of partition: Int, where condition: @Sendable (MemorySlot) -> Bool = { _ in true }) {
        state.withLock { state in
            for (key, place) in state.places where key.partition == partition {
                if let content = state.slots[place]?.content, condition(content) { state.remove(place) }
            }
        }
    }
}
