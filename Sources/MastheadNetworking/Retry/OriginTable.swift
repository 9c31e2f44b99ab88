/// What is remembered of each origin, for a bounded number of them: the one asked longest ago is forgotten first.
package struct OriginTable<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [Origin: Entry] = [:]
    private var uses: UInt64 = 0

    /// Makes an empty table.
    package init(capacity: Int = 256) {
        self.capacity = max(capacity, 1)
    }

    /// How many origins are remembered.
    package var count: Int { entries.count }

    /// What is remembered of an origin; `nil` if nothing is.
    package subscript(origin: Origin) -> Value? { entries[origin]?.value }

    /// Changes what is remembered of an origin.
    ///
    /// - Parameters:
    ///   - origin: The origin.
    ///   - initial: What an origin starts with that is not remembered.
    ///   - change: Makes the change.
    /// - Returns: What the change returns.
    package mutating func update<Output>(
        _ origin: Origin,
        startingWith initial: @autoclosure () -> Value,
        _ change: (inout Value) -> Output
    ) -> Output {
        uses += 1
        if entries.count >= capacity, entries[origin] == nil { forgetOldest() }
        entries[origin, default: Entry(value: initial(), lastUse: 0)].lastUse = uses
        return change(&entries[origin, default: Entry(value: initial(), lastUse: uses)].value)
    }

    private mutating func forgetOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
        entries[oldest] = nil
    }
}
