/// Keys in the order in which they lie in the file's index: that of their bytes.
package struct KeyOrder: Sendable {
    private struct Place {
        /// The eight bytes behind those that all keys begin with.
        let rank: UInt64
        let index: Int
    }

    private let keys: [String]
    private let places: [Place]

    /// Puts keys in order.
    ///
    /// Most often eight bytes tell two keys apart, those behind what all have in common: to compare these takes a tenth of
    /// the time that comparing texts takes. Many keys lie all over memory, and to fetch each takes longer than to look at
    /// it: so it is looked at once, if some of them tell what all begin with.
    package init(_ keys: [String]) {
        self.keys = keys
        let some = stride(from: 0, to: keys.count, by: max(1, keys.count / 16)).map { keys[$0] }
        let start = KeyStart(of: some)
        var places = Self.places(of: keys, behind: start) ?? Self.places(of: keys, behind: KeyStart(of: keys)) ?? []
        places.sort { left, right in
            guard left.rank == right.rank else { return left.rank < right.rank }
            return keys[left.index].utf8.lexicographicallyPrecedes(keys[right.index].utf8)
        }
        self.places = places
    }

    /// How many they are.
    package var count: Int { places.count }

    /// The key at a place in the order.
    package subscript(place: Int) -> String { keys[places[place].index] }

    /// Where each belongs, still in their old order; `nil` if one has another start.
    private static func places(of keys: [String], behind start: KeyStart) -> [Place]? {
        var places: [Place] = []
        places.reserveCapacity(keys.count)
        for index in keys.indices {
            guard let rank = start.rank(of: keys[index]) else { return nil }
            places.append(Place(rank: rank, index: index))
        }
        return places
    }
}

/// What keys begin with.
private struct KeyStart {
    private var bytes: [UInt8]

    /// What all of some keys begin with.
    init(of keys: [String]) {
        bytes = keys.first.map { Array($0.utf8) } ?? []
        for key in keys {
            let count = key.withBytes { zip($0, bytes).prefix { $0 == $1 }.count }
            bytes.removeLast(bytes.count - count)
        }
    }

    /// The eight bytes behind it, as a number; `nil` for a key that begins otherwise.
    ///
    /// Zeros stand for those that are not there.
    func rank(of key: String) -> UInt64? {
        key.withBytes { key in
            guard key.starts(with: bytes) else { return nil }
            var rank: UInt64 = 0
            for index in bytes.count..<bytes.count + 8 {
                rank = rank << 8 | (index < key.count ? UInt64(key[index]) : 0)
            }
            return rank
        }
    }
}

extension String {
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
