/// Who has which of the connections that read, and who waits for one.
struct ReaderLine {
    private(set) var isClosed = false
    private(set) var generation = 0
    private var free: [Reader] = []
    /// The connections that are open or about to be.
    private var count = 0
    private var jobs: [ReadJob] = []
    /// Who waits until all connections are closed.
    private var waiting: [@Sendable () -> Void] = []

    /// How often a connection was taken.
    private var number = 0
    /// Who wants to know when all those have ended that had a connection at one moment.
    private var watcher: (number: Int, count: Int, tell: @Sendable () -> Void)?

    /// The right to use one connection once.
    struct Place {
        /// The connection; `nil` if whoever got this is to open it.
        let reader: Reader?
        /// Which file it has open, if the file was replaced meanwhile.
        let generation: Int
        fileprivate let number: Int
    }

    mutating func take(limit: Int) throws(DatabaseError) -> Place? {
        guard !isClosed else { throw .closed }
        if let reader = free.popLast() { return place(reader) }
        guard count < limit else { return nil }
        count += 1
        return place(nil)
    }

    /// Takes a connection that is open; `nil` if none is free.
    mutating func takeOpen() throws(DatabaseError) -> Place? {
        guard !isClosed else { throw .closed }
        return free.popLast().map { place($0) }
    }

    private mutating func place(_ reader: Reader?) -> Place {
        number += 1
        return Place(reader: reader, generation: generation, number: number)
    }

    mutating func wait(_ job: ReadJob) {
        jobs.append(job)
    }

    /// What to do with a connection whose job is over, or with the right to one.
    enum Turn {
        case job(ReadJob, Place)
        /// Close it, and say so.
        case close
        case rest
    }

    /// Takes a connection back, if nobody waits for it or for its being back.
    mutating func keep(_ reader: Reader, _ place: Place) -> Bool {
        guard jobs.isEmpty, watcher == nil, !isClosed, place.generation == generation else { return false }
        free.append(reader)
        return true
    }

    mutating func giveBack(_ reader: Reader?, _ place: Place) -> (turn: Turn, tell: (@Sendable () -> Void)?) {
        let tell = end(place)
        let reader = place.generation == generation ? reader : nil
        if !jobs.isEmpty { return (.job(jobs.removeFirst(), self.place(reader)), tell) }
        guard let reader, !isClosed else { return (.close, tell) }
        free.append(reader)
        return (.rest, tell)
    }

    /// Tells when all those have ended that have a connection now; `nil` and never, if nobody has one.
    mutating func whenOthersEnd(_ tell: @escaping @Sendable () -> Void) {
        let taken = count - free.count
        watcher = taken == 0 ? nil : (number, taken, tell)
    }

    private mutating func end(_ place: Place) -> (@Sendable () -> Void)? {
        guard let (number, count, tell) = watcher, place.number <= number else { return nil }
        watcher = count == 1 ? nil : (number, count - 1, tell)
        return count == 1 ? tell : nil
    }

    /// Counts connections as closed.
    ///
    /// - Returns: Who waited for the last.
    mutating func leave(_ number: Int) -> [@Sendable () -> Void] {
        count -= number
        guard isClosed, count == 0 else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Lets nobody have a connection any longer.
    ///
    /// - Parameters:
    ///   - isDropped: Whether those that wait are given up.
    ///   - completion: For when the last connection is closed.
    /// - Returns: Those given up, and the connections to close.
    mutating func close(
        dropping isDropped: Bool,
        then completion: @escaping @Sendable () -> Void
    ) -> (jobs: [ReadJob], readers: [Reader]) {
        isClosed = true
        waiting.append(completion)
        defer {
            free = []
            if isDropped { jobs = [] }
        }
        return (isDropped ? jobs : [], free)
    }

    /// Lets nobody have a connection to the old file, since there is another.
    ///
    /// - Returns: The connections to close.
    mutating func renew() -> [Reader] {
        generation += 1
        defer { free = [] }
        return free
    }
}
