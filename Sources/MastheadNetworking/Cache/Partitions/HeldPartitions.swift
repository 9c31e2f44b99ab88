/// The partitions of a cache that are open: those that are used are kept, and the others closed as soon as nobody has one.
///
/// An app's own session does not tell the cache of its end, so a user is taken for gone who was not asked for of late.
struct HeldPartitions {
    private struct Place {
        let name: CacheFileName
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

    /// A few: for these an array is as quick as a dictionary, and need not be set up by the runtime first.
    private var places: [Place] = []

    /// All that anybody has.
    var all: [(name: CacheFileName, partition: CachePartition)] {
        places.compactMap { place in place.known.map { (place.name, $0) } }
    }

    /// The partition of a name, which is used now; `nil` if there is none.
    mutating func use(_ name: CacheFileName, at now: Duration) -> CachePartition? {
        guard let index = places.firstIndex(where: { $0.name == name }) else { return nil }
        places[index].lastUse = now
        if let held = places[index].held { return held }
        let known = places[index].known
        places[index].held = known
        return known
    }

    /// Keeps a new one.
    mutating func hold(_ partition: CachePartition, _ name: CacheFileName, at now: Duration) {
        places.removeAll { $0.name == name }
        places.append(Place(name: name, held: partition, known: partition, lastUse: now))
    }

    /// Forgets one.
    mutating func forget(_ partition: CachePartition, _ name: CacheFileName) {
        places.removeAll { $0.name == name && $0.known === partition }
    }

    /// Keeps no longer what was not used for long, and what is too much.
    ///
    /// - Returns: The partitions, to be let go of elsewhere: that may close files.
    mutating func tidy(at now: Duration) -> [CachePartition] {
        // Each call comes by here, and most apps have one user at a time.
        var count = 0
        for place in places where !place.name.isNobodys && place.held != nil { count += 1 }
        guard count > 1 else { return [] }
        let users = places.filter { $0.held != nil && !$0.name.isNobodys }.sorted { $0.lastUse > $1.lastUse }
        let spare = users.enumerated().filter { place, user in
            place >= Self.limit || now - user.lastUse >= Self.longest
        }
        let names = Set(spare.map(\.element.name))
        return names.isEmpty ? [] : letGo { names.contains($0) }
    }

    /// Keeps no longer those of users that a condition holds for.
    ///
    /// - Returns: The partitions, to be let go of elsewhere: that may close files.
    mutating func letGo(where condition: (CacheFileName) -> Bool) -> [CachePartition] {
        guard places.contains(where: { !$0.name.isNobodys }) else { return [] }
        var spare: [CachePartition] = []
        for index in places.indices where !places[index].name.isNobodys && condition(places[index].name) {
            if let held = places[index].held { spare.append(held) }
            places[index].held = nil
        }
        // Those are gone that nobody had when they were let go of before.
        places.removeAll { $0.known == nil }
        return spare
    }
}
