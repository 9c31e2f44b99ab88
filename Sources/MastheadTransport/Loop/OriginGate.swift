/// Decides which exchanges may start: a bounded number to each origin, the rest by priority, in the order they came.
///
/// libcurl could queue them itself, but stalls for seconds when a finished handle makes room (7.88), and knows neither
/// deadlines nor cancellation of what waits.
package struct OriginGate<Waiting> {
    private struct State {
        var active = 0
        var line = WaitingLine<Waiting>()
        /// Whether it speaks HTTP/2; `nil` if nobody has seen it.
        var multiplexes: Bool?

        var isIdle: Bool { active == 0 && line.isEmpty }

        mutating func enter(_ item: Waiting, id: UInt64, priority: TransportPriority, limit: PlaceLimit) -> Bool {
            guard line.isEmpty, hasPlace(limit) else {
                line.append(item, id: id, priority: priority)
                return false
            }
            active += 1
            return true
        }

        func hasPlace(_ limit: PlaceLimit) -> Bool {
            active < (multiplexes == true ? max(limit.connections, limit.streams) : max(1, limit.connections))
        }
    }

    // One look-up for each thing that happens, since hashing an origin's text is what costs most here; and a line is
    // changed where it is: a copy would make each change copy all of it.
    private var states: [Origin: State] = [:]

    /// Exchanges waiting in all.
    package private(set) var waitingCount = 0

    private static var maximumIdle: Int { 1024 }

    package init() {}

    /// What was seen of an origin: `true` for HTTP/2, `false` for HTTP/1.1, `nil` if nothing yet.
    package func multiplexes(_ origin: Origin) -> Bool? { states[origin]?.multiplexes }

    /// Notes which version an origin spoke.
    package mutating func note(_ origin: Origin, multiplexes: Bool) {
        // Nearly always nothing new.
        if self.multiplexes(origin) == multiplexes { return }
        if states.count > Self.maximumIdle { forgetVersions() }
        states[origin, default: State()].multiplexes = multiplexes
    }

    private mutating func forgetVersions() {
        states = states.filter { !$0.value.isIdle }
        for index in states.indices { states.values[index].multiplexes = nil }
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
        let mayStart = states[origin, default: State()].enter(item, id: id, priority: priority, limit: limit)
        if !mayStart { waitingCount += 1 }
        return mayStart
    }

    /// Gives a place back and hands out the items that may start now, their places taken.
    package mutating func leave(_ origin: Origin, limit: (Waiting) -> PlaceLimit) -> [Waiting] {
        guard let index = states.index(forKey: origin) else { return [] }
        states.values[index].active -= 1
        var admitted: [Waiting] = []
        while let next = states.values[index].line.first, states.values[index].hasPlace(limit(next)) {
            states.values[index].line.removeFirst()
            states.values[index].active += 1
            waitingCount -= 1
            admitted.append(next)
        }
        forget(index)
        return admitted
    }

    /// Takes an item out of the line.
    ///
    /// - Returns: Whether it was still waiting.
    package mutating func remove(id: UInt64, origin: Origin) -> Bool {
        guard let index = states.index(forKey: origin), states.values[index].line.remove(id: id) else { return false }
        waitingCount -= 1
        forget(index)
        return true
    }

    /// Keeps nothing of an origin that nothing is known of.
    private mutating func forget(_ index: Dictionary<Origin, State>.Index) {
        if states.values[index].multiplexes == nil, states.values[index].isIdle { states.remove(at: index) }
    }

    /// Every item in the lines.
    package var waiting: [Waiting] {
        states.values.flatMap(\.line.items)
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
