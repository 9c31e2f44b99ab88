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

    /// The right to use one connection.
    enum Place {
        case reader(Reader)
        /// To be opened by whoever got this.
        case new(generation: Int)
    }

    mutating func take(limit: Int) throws(DatabaseError) -> Place? {
        guard !isClosed else { throw .closed }
        if let reader = free.popLast() { return .reader(reader) }
        guard count < limit else { return nil }
        count += 1
        return .new(generation: generation)
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

    mutating func giveBack(_ reader: Reader?) -> Turn {
        let reader = reader?.generation == generation ? reader : nil
        if !jobs.isEmpty {
            return .job(jobs.removeFirst(), reader.map(Place.reader) ?? .new(generation: generation))
        }
        guard let reader, !isClosed else { return .close }
        free.append(reader)
        return .rest
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
