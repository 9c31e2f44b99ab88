/// The names of the objects that a text is in the midst of, so that none is given twice.
struct NameList {
    /// How many an object may have before it takes too long to compare them.
    private static let limit = 1000
    /// The same where they are not all ASCII.
    private static let wideLimit = 100

    private var names: [Range<Int>] = []
    /// For each object, where its names begin, a bit for each name that may be among them, and whether one is not ASCII.
    private var objects: [(start: Int, seen: UInt64, isWide: Bool)] = []

    /// Begins an object within the last.
    mutating func open() {
        objects.append((names.count, 0, false))
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
        if object.isWide || text[name].contains(where: { $0 >= 0x80 }) {
            objects[objects.count - 1].isWide = true
            guard isNewText(name, of: text, from: object.start) else { return false }
        }
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

    /// Whether no name means the same as text: an accent may be a part of its letter or follow it.
    private func isNewText(_ name: Range<Int>, of text: [UInt8], from start: Int) -> Bool {
        guard names.count - start < Self.wideLimit else { return false }
        let string = String(decoding: text[name], as: UTF8.self)
        return !names[start...].contains { String(decoding: text[$0], as: UTF8.self) == string }
    }
}
