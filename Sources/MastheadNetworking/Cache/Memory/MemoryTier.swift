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

    /// Where a slot stands in the order, apart from its content so that moving it copies nothing.
    private struct Link {
        /// The slots used before and after it.
        var newer: Int?
        var older: Int?
        /// Whether it is in the order: not as long as the disk does not know of it.
        var isListed = false
        /// What it was counted as.
        var cost = 0
        /// When it was last told that the slot is used.
        var epoch: Int
    }

    private struct State {
        var places: [Key: Int] = [:]
        var keys: [Key?] = []
        var contents: [MemorySlot?] = []
        var links: [Link] = []
        var free: [Int] = []
        var newest: Int?
        var oldest: Int?
        var cost = 0
        var epoch = 0

        /// Takes a slot out of the order, and its cost out of the sum.
        mutating func unlink(_ place: Int) {
            let link = links[place]
            guard link.isListed else { return }
            if let newer = link.newer { links[newer].older = link.older } else { newest = link.older }
            if let older = link.older { links[older].newer = link.newer } else { oldest = link.newer }
            cost -= link.cost
            links[place].isListed = false
        }

        /// Puts a slot first.
        mutating func link(_ place: Int, cost slotCost: Int) {
            links[place].newer = nil
            links[place].older = newest
            links[place].isListed = true
            links[place].cost = slotCost
            if let newest { links[newest].newer = place }
            newest = place
            oldest = oldest ?? place
            cost += slotCost
        }

        mutating func use(_ place: Int) {
            let link = links[place]
            guard newest != place, link.isListed else { return }
            unlink(place)
            self.link(place, cost: link.cost)
        }

        mutating func remove(_ place: Int) {
            unlink(place)
            if let key = keys[place] { places[key] = nil }
            keys[place] = nil
            contents[place] = nil
            free.append(place)
        }

        /// A place for a key that has none.
        mutating func add(_ key: Key) -> Int {
            let place: Int
            if let last = free.popLast() {
                place = last
                keys[place] = key
                links[place] = Link(epoch: epoch)
            } else {
                place = keys.count
                keys.append(key)
                contents.append(nil)
                links.append(Link(epoch: epoch))
            }
            places[key] = place
            return place
        }

        /// Lets go of what was used least, until the rest costs no more than the limit.
        mutating func trim(to limit: Int) {
            while cost > limit, let oldest { remove(oldest) }
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

    /// Whether anything may stay that the disk knows of.
    var hasRoom: Bool { limit > 0 }

    /// What all slots cost that may go.
    var cost: Int { state.withLock { $0.cost } }

    /// How many slots there are.
    var count: Int { state.withLock { $0.places.count } }

    /// What stands there.
    subscript(key: Key) -> MemorySlot? {
        state.withLock { state in state.places[key].flatMap { state.contents[$0] } }
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
            let isNew = state.links[place].epoch != state.epoch
            if isNew { state.links[place].epoch = state.epoch }
            return (state.contents[place], isNew)
        }
        isFirst = isNew
        return content
    }

    /// Has the next use of each slot told again.
    func beginEpoch() {
        state.withLock { $0.epoch += 1 }
    }

    /// Changes what stands there; `nil` takes it out.
    ///
    /// What the disk does not know of yet does not count, and stays whatever the limit.
    func update(_ key: Key, _ change: @Sendable (inout MemorySlot?) -> Void) {
        state.withLock { state in
            let place = state.places[key]
            var content: MemorySlot?
            if let place {
                // Taken out, so that changing it copies nothing.
                swap(&content, &state.contents[place])
                state.unlink(place)
            }
            change(&content)
            if let content {
                let place = place ?? state.add(key)
                if !content.isPinned { state.link(place, cost: content.cost) }
                state.contents[place] = content
                state.trim(to: limit)
            } else if let place {
                state.remove(place)
            }
        }
    }

    /// Takes out some of a partition's slots, but none that the disk does not know of yet.
    func removeAll(of partition: Int, _ keys: some Sequence<EntryKey>) {
        state.withLock { state in
            for key in keys where !state.places.isEmpty {
                guard let place = state.places[Key(partition: partition, key: key)] else { continue }
                if state.contents[place]?.isPinned == false { state.remove(place) }
            }
        }
    }

    /// Takes out the models of a type whose keys are among some, but none that the disk does not know of yet.
    func removeAll<Value: Sendable>(of partition: Int, _ type: Value.Type, in values: [String: Value]) {
        state.withLock { state in
            // Whichever are fewer: those that are there, or those that may be.
            guard state.places.count > values.count else {
                for (key, place) in state.places
                where key.partition == partition && key.key.type == type && values[key.key.text] != nil {
                    if state.contents[place]?.isPinned == false { state.remove(place) }
                }
                return
            }
            for text in values.keys {
                let key = Key(partition: partition, key: EntryKey(type: type, text: text))
                guard let place = state.places[key], state.contents[place]?.isPinned == false else { continue }
                state.remove(place)
            }
        }
    }

    /// Takes out all of a partition's slots that a condition holds for.
    func removeAll(of partition: Int, where condition: @Sendable (MemorySlot) -> Bool = { _ in true }) {
        state.withLock { state in
            for (key, place) in state.places where key.partition == partition {
                if let content = state.contents[place], condition(content) { state.remove(place) }
            }
        }
    }
}
