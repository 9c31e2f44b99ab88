/// A text in the making: what is written, and which of its parts are not over yet.
///
/// A container of Swift's encoding is never told that it is over. It is when the one around it is used again, so each use
/// ends the parts within; who uses a part that has ended wants to write elsewhere than at the end, which is not possible.
struct OpenText {
    /// The text so far.
    var bytes: [UInt8] = []
    /// Whether something was wanted that is not possible.
    private(set) var hasFailed = false
    /// How many parts may be within one another: two for each object or array, of which decoders take about 512.
    private static let depthLimit = 1000
    /// The parts that are not over, each within the one before.
    private var parts: [Part] = []
    private var lastID = 0
    /// The names in the objects that are not over.
    private var names = NameList()

    enum Kind {
        /// The place of one value.
        case value
        case object
        case array
    }

    private struct Part {
        let id: Int
        let kind: Kind
        /// What leads to it from the part around it.
        let step: PathStep
        /// How many values are in it.
        var count = 0
    }

    /// Where to find a part again, as long as it is not over.
    struct Place {
        fileprivate let level: Int
        fileprivate let id: Int

        /// That of a part that never was.
        static let none = Place(level: 0, id: 0)
    }

    /// What cannot be written in one go.
    struct NotInOrder: Error {}

    /// Begins a part within the last.
    mutating func open(_ kind: Kind, _ step: PathStep) -> Place {
        lastID += 1
        if kind == .object { names.open() }
        parts.append(Part(id: lastID, kind: kind, step: step))
        return Place(level: parts.count - 1, id: lastID)
    }

    /// Begins an object or an array where a value is to be; again the same, if it was begun there already.
    mutating func open(_ kind: Kind, at place: Place) -> Place {
        if place.level + 1 < parts.count, parts[place.level].id == place.id, parts[place.level + 1].kind == kind {
            return Place(level: place.level + 1, id: parts[place.level + 1].id)
        }
        do throws(NotInOrder) {
            try beginValue(in: place)
            guard parts.count < Self.depthLimit else { throw fail() }
        } catch {
            return .none
        }
        bytes.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return open(kind, .none)
    }

    /// Ends what was begun within a part, if that is not over itself.
    mutating func goBack(to place: Place) throws(NotInOrder) {
        guard isOpen(place) else { throw fail() }
        while parts.count > place.level + 1 { close() }
    }

    private func isOpen(_ place: Place) -> Bool {
        place.level < parts.count && parts[place.level].id == place.id
    }

    private mutating func close() {
        guard let part = parts.popLast() else { return }
        switch part.kind {
        case .value:
            guard part.count == 0 else { return }
            bytes += "{}".utf8
            // The whole may not be nothing.
            if parts.count == 1 { hasFailed = true }
        case .array: bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "}"))
            names.close()
        }
    }

    /// From now on there is nothing to be had.
    mutating func fail() -> NotInOrder {
        hasFailed = true
        return NotInOrder()
    }

    /// Ends all parts: whoever kept a container of them has nothing to write to.
    mutating func end() {
        parts = []
        names = NameList()
        hasFailed = true
    }

    // MARK: Places for values

    /// Begins the value of a place that may have one.
    mutating func beginValue(in place: Place) throws(NotInOrder) {
        try goBack(to: place)
        guard parts[place.level].kind == .value, parts[place.level].count == 0 else { throw fail() }
        parts[place.level].count = 1
    }

    /// Begins an element of an array.
    mutating func beginElement(of place: Place) throws(NotInOrder) {
        try goBack(to: place)
        if parts[place.level].count > 0 { bytes.append(UInt8(ascii: ",")) }
        parts[place.level].count += 1
    }

    /// Begins a member of an object.
    mutating func beginMember(_ name: String, of place: Place) throws(NotInOrder) {
        try goBack(to: place)
        if parts[place.level].count > 0 { bytes.append(UInt8(ascii: ",")) }
        parts[place.level].count += 1
        let start = bytes.count
        JSONScalar.append(name, to: &bytes)
        // Of two with one name the last would be right, and the first is there already.
        guard names.add(start..<bytes.count, of: bytes) else { throw fail() }
        bytes.append(UInt8(ascii: ":"))
    }

    /// How many values are in a part; not known any more of one that is over, so that nothing is right from then on.
    mutating func count(of place: Place) -> Int {
        guard isOpen(place) else {
            hasFailed = true
            return 0
        }
        return parts[place.level].count
    }

    /// What leads to a part; not known any more of one that is over either.
    mutating func path(to place: Place) -> [any CodingKey] {
        guard isOpen(place) else {
            hasFailed = true
            return []
        }
        return parts[...place.level].compactMap(\.step.key)
    }
}
