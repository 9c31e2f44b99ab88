/// The names of the objects that a text is in the midst of, so that none is given twice.
struct NameList {
    /// How many an object may have before it takes too long to compare them.
    private static let limit = 1000

    private var names: [Range<Int>] = []
    /// For each object, where its names begin, and a bit for each name that may be among them.
    private var objects: [(start: Int, seen: UInt64)] = []

    /// Begins an object within the last.
    mutating func open() {
        objects.append((names.count, 0))
    }

    /// Forgets the last object.
    mutating func close() {
        guard let object = objects.popLast() else { return }
        names.removeLast(names.count - object.start)
    }

    /// Adds a name to the last object.
    ///
    /// - Parameters:
    ///   - name: Where it stands in the text.
    ///   - text: The text.
    /// - Returns: Whether it is new there.
    mutating func add(_ name: Range<Int>, of text: [UInt8]) -> Bool {
        guard let object = objects.last, names.count - object.start < Self.limit else { return false }
        // Before the closing quote: most names of one length end differently, or begin so.
        let mix = UInt64(text[name.upperBound - 2]) &* 31 &+ UInt64(text[name.lowerBound + 1]) &* 7
        let bit: UInt64 = 1 << ((mix &+ UInt64(name.count)) & 63)
        if object.seen & bit != 0 {
            let bytes = text[name]
            for other in names[object.start...] where other.count == name.count && text[other].elementsEqual(bytes) {
                return false
            }
        }
        objects[objects.count - 1].seen |= bit
        names.append(name)
        return true
    }
}
