/// Decides which exchanges may start: a bounded number to each origin, the rest by priority, in the order they came.
///
/// libcurl could queue them itself, but stalls for seconds when a finished handle makes room (7.88), and knows neither
/// deadlines nor cancellation of what waits.
package struct OriginGate<Waiting> {
    private struct State {
        var active = 0
        var line = WaitingLine<Waiting>()
    }

    private var states: [Origin: State] = [:]
    private var multiplexing: Set<Origin> = []
    private var exclusive: Set<Origin> = []

    /// Exchanges waiting in all.
    package private(set) var waitingCount = 0

    package init() {}

    /// What was seen of an origin: `true` for HTTP/2, `false` for HTTP/1.1, `nil` if nothing yet.
    package func multiplexes(_ origin: Origin) -> Bool? {
        multiplexing.contains(origin) ? true : exclusive.contains(origin) ? false : nil
    }

    /// Notes which version an origin spoke.
    package mutating func note(_ origin: Origin, multiplexes: Bool) {
        // Nearly always nothing new.
        if multiplexes ? multiplexing.contains(origin) : exclusive.contains(origin) { return }
        if multiplexing.count + exclusive.count > 1024 {
            multiplexing.removeAll()
            exclusive.removeAll()
        }
        if multiplexes {
            exclusive.remove(origin)
            multiplexing.insert(origin)
        } else {
            multiplexing.remove(origin)
            exclusive.insert(origin)
        }
    }

    /// Takes a place if one is free, or puts the item in the line.
    ///
    /// - Returns: Whether it may start now.
    package mutating func enter(
        _ item: Waiting,
        id: UInt64,
        origin: Origin,
        priority: TransportPriority = .normal,
        limit: PlaceLimit
    ) -> Bool {
        // Taken out while it changes: a copy left in the dictionary would make each append copy the line.
        var state = states.removeValue(forKey: origin) ?? State()
        defer { states[origin] = state }
        if state.line.isEmpty, state.active < places(origin, limit) {
            state.active += 1
            return true
        }
        state.line.append(item, id: id, priority: priority)
        waitingCount += 1
        return false
    }

    /// Gives a place back and hands out the items that may start now, their places taken.
    package mutating func leave(_ origin: Origin, limit: (Waiting) -> PlaceLimit) -> [Waiting] {
        guard var state = states.removeValue(forKey: origin) else { return [] }
        state.active -= 1
        var admitted: [Waiting] = []
        while let next = state.line.first, state.active < places(origin, limit(next)) {
            state.line.removeFirst()
            state.active += 1
            waitingCount -= 1
            admitted.append(next)
        }
        if state.active > 0 || !state.line.isEmpty { states[origin] = state }
        return admitted
    }

    /// Takes an item out of the line.
    ///
    /// - Returns: Whether it was still waiting.
    package mutating func remove(id: UInt64, origin: Origin) -> Bool {
        // Taken out while it changes, as above.
        guard var state = states.removeValue(forKey: origin) else { return false }
        defer { if state.active > 0 || !state.line.isEmpty { states[origin] = state } }
        guard state.line.remove(id: id) else { return false }
        waitingCount -= 1
        return true
    }

    /// Every item in the lines.
    package var waiting: [Waiting] {
        states.values.flatMap(\.line.items)
    }

    private func places(_ origin: Origin, _ limit: PlaceLimit) -> Int {
        multiplexing.contains(origin) ? max(limit.connections, limit.streams) : max(1, limit.connections)
    }
}

/// How many exchanges may be under way to one origin.
package struct PlaceLimit: Sendable, Hashable {
    /// Over HTTP/1.1, each on a connection of its own.
    package var connections: Int
    /// Over HTTP/2, on one connection.
    package var streams: Int

    package init(connections: Int = 6, streams: Int = 100) {
        self.connections = connections
        self.streams = streams
    }
}
