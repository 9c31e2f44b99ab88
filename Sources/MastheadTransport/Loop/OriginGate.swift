/// Decides which exchanges may start: a bounded number to each origin, the rest in the order they came.
///
/// libcurl could queue them itself, but stalls for seconds when a finished handle makes room (7.88), and knows neither
/// deadlines nor cancellation of what waits.
package struct OriginGate<Waiting> {
    private struct State {
        var active = 0
        var waiting: [(id: UInt64, item: Waiting)] = []
        var firstWaiting = 0
    }

    private var states: [Origin: State] = [:]
    private var multiplexing: Set<Origin> = []
    private var exclusive: Set<Origin> = []

    /// Streams on one HTTP/2 connection.
    static var maximumStreams: Int { 100 }

    /// Exchanges waiting in all.
    package private(set) var waitingCount = 0

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

    /// Takes a place if one is free, or puts the item in the queue.
    ///
    /// - Returns: Whether it may start now.
    package mutating func enter(_ item: Waiting, id: UInt64, origin: Origin, limit: Int) -> Bool {
        // Taken out while it changes: a copy left in the dictionary would make each append copy the queue.
        var state = states.removeValue(forKey: origin) ?? State()
        defer { states[origin] = state }
        if state.waiting.count == state.firstWaiting, state.active < places(origin, limit) {
            state.active += 1
            return true
        }
        state.waiting.append((id, item))
        waitingCount += 1
        return false
    }

    /// Gives a place back and hands out the items that may start now, their places taken.
    package mutating func leave(_ origin: Origin, limit: (Waiting) -> Int) -> [Waiting] {
        guard var state = states.removeValue(forKey: origin) else { return [] }
        state.active -= 1
        var admitted: [Waiting] = []
        while state.firstWaiting < state.waiting.count {
            let next = state.waiting[state.firstWaiting].item
            guard state.active < places(origin, limit(next)) else { break }
            state.firstWaiting += 1
            state.active += 1
            waitingCount -= 1
            admitted.append(next)
        }
        if state.firstWaiting > 64, state.firstWaiting * 2 > state.waiting.count {
            state.waiting.removeFirst(state.firstWaiting)
            state.firstWaiting = 0
        }
        if state.firstWaiting == state.waiting.count {
            state.waiting.removeAll()
            state.firstWaiting = 0
        }
        if state.active > 0 || !state.waiting.isEmpty { states[origin] = state }
        return admitted
    }

    /// Takes an item out of the queue.
    ///
    /// - Returns: Whether it was still waiting.
    package mutating func remove(id: UInt64, origin: Origin) -> Bool {
        // Taken out while it changes, as above.
        guard var state = states.removeValue(forKey: origin) else { return false }
        defer { if state.active > 0 || state.waiting.count > state.firstWaiting { states[origin] = state } }
        guard let index = state.waiting[state.firstWaiting...].firstIndex(where: { $0.id == id }) else { return false }
        state.waiting.remove(at: index)
        waitingCount -= 1
        return true
    }

    package init() {}

    /// Every item in the queues.
    package var waiting: [Waiting] {
        states.values.flatMap { $0.waiting[$0.firstWaiting...].map(\.item) }
    }

    private func places(_ origin: Origin, _ limit: Int) -> Int {
        multiplexing.contains(origin) ? max(limit, Self.maximumStreams) : max(1, limit)
    }
}
