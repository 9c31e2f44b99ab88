/// What waits for a place: by priority, and within one in the order it came.
struct WaitingLine<Item> {
    private struct Queue {
        var entries: [(id: UInt64, item: Item)] = []
        /// Those before it have left.
        var first = 0

        var isEmpty: Bool { first == entries.count }

        /// Forgets those that have left, now and then, so that leaving costs nothing.
        mutating func compact() {
            guard isEmpty || first > 64 && first * 2 > entries.count else { return }
            entries.removeFirst(first)
            first = 0
        }
    }

    /// One queue for each priority, the lowest first.
    private var queues = TransportPriority.allCases.map { _ in Queue() }

    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ item: Item, id: UInt64, priority: TransportPriority) {
        queues[priority.rawValue].entries.append((id, item))
        count += 1
    }

    /// Who is next.
    var first: Item? {
        guard !isEmpty, let queue = queues.last(where: { !$0.isEmpty }) else { return nil }
        return queue.entries[queue.first].item
    }

    mutating func removeFirst() {
        guard !isEmpty, let index = queues.lastIndex(where: { !$0.isEmpty }) else { return }
        queues[index].first += 1
        queues[index].compact()
        count -= 1
    }

    /// Takes one out of the line.
    ///
    /// - Returns: Whether it was in it.
    mutating func remove(id: UInt64) -> Bool {
        for index in queues.indices {
            let queue = queues[index]
            guard let place = queue.entries[queue.first...].firstIndex(where: { $0.id == id }) else { continue }
            queues[index].entries.remove(at: place)
            queues[index].compact()
            count -= 1
            return true
        }
        return false
    }

    /// Everyone in it.
    var items: [Item] { queues.flatMap { $0.entries[$0.first...].map(\.item) } }
}
