/// The partitions of a cache that are open: those that are used are kept, and the others closed as soon as nobody has one.
///
/// An app's own session does not tell the cache of its end, so a user is taken for gone who was not asked for of late.
struct HeldPartitions {
    private struct Place {
        /// Keeps it open.
        var held: CachePartition?
        /// Finds it as long as somebody else has it: two of one file would not know of each other's memory.
        weak var known: CachePartition?
        var lastUse: Duration
    }

    /// How many users' partitions are kept open.
    private static let limit = 4

    /// How long a user's partition is kept open that is not used while another is.
    private static let longest = Duration.seconds(60)

    private var places: [CacheFileName: Place] = [:]

    /// All that anybody has.
    var all: [(name: CacheFileName, partition: CachePartition)] {
        places.compactMap { name, place in place.known.map { (name, $0) } }
    }

    /// The partition of a name, which is used now; `nil` if there is none.
    mutating func use(_ name: CacheFileName, at now: Duration) -> CachePartition? {
        guard let index = places.index(forKey: name) else { return nil }
        places.values[index].lastUse = now
        if let held = places.values[index].held { return held }
        let known = places.values[index].known
        places.values[index].held = known
        return known
    }

    /// Keeps a new one.
    mutating func hold(_ partition: CachePartition, _ name: CacheFileName, at now: Duration) {
        places[name] = Place(held: partition, known: partition, lastUse: now)
    }

    /// Forgets one.
    mutating func forget(_ partition: CachePartition, _ name: CacheFileName) {
        if places[name]?.known === partition { places[name] = nil }
    }

    /// Keeps no longer what was not used for long, and what is too much.
    ///
    /// - Returns: The partitions, to be let go of elsewhere: that may close files.
    mutating func tidy(at now: Duration) -> [CachePartition] {
        // Each call comes by here, and most apps have one user at a time.
        var count = 0
        for (name, place) in places where !name.isNobodys && place.held != nil { count += 1 }
        guard count > 1 else { return [] }
        let users = places.filter { $0.value.held != nil && !$0.key.isNobodys }
            .sorted { $0.value.lastUse > $1.value.lastUse }
        let spare = users.enumerated().filter { place, user in
            place >= Self.limit || now - user.value.lastUse >= Self.longest
        }
        let names = Set(spare.map(\.element.key))
        return names.isEmpty ? [] : letGo { names.contains($0) }
    }

    /// Keeps no longer those of users that a condition holds for.
    ///
    /// - Returns: The partitions, to be let go of elsewhere: that may close files.
    mutating func letGo(where condition: (CacheFileName) -> Bool) -> [CachePartition] {
        guard places.keys.contains(where: { !$0.isNobodys }) else { return [] }
        var spare: [CachePartition] = []
        for (name, place) in places where !name.isNobodys && condition(name) {
            if let held = place.held { spare.append(held) }
            places[name]?.held = nil
        }
        // Those are gone that nobody had when they were let go of before.
        places = places.filter { $0.value.known != nil }
        return spare
    }
}
