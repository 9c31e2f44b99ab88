/// The jobs that wait for the connection that writes, in order.
struct WriteLine {
    private var jobs: [WriteJob] = []
    /// Whether a thread takes jobs from it, or is about to.
    private var isServed = false
    private(set) var isClosed = false
    /// Who waits until the line is closed and done.
    private var waiting: [@Sendable () -> Void] = []
    /// Whether the write-ahead log is to be moved into the file when there is nothing else to do.
    var isCheckpointDue = false
    /// The first failure of a job that nobody waited for.
    var unreported: DatabaseError?
    var counts = DatabaseCounts()

    enum Turn {
        case jobs([WriteJob])
        case checkpoint
        case end([@Sendable () -> Void])
        case rest
    }

    /// Puts a job at the end.
    mutating func add(_ job: WriteJob, limit: Int) throws(DatabaseError) {
        guard !isClosed else { throw .closed }
        guard jobs.count < limit else { throw .busy }
        jobs.append(job)
    }

    /// Says whether a thread must be sent: for the first who asks.
    mutating func mustBeServed() -> Bool {
        defer { isServed = true }
        return !isServed
    }

    /// Takes no more jobs.
    ///
    /// - Parameter isDropped: Whether those that wait are given up.
    /// - Returns: Those given up.
    mutating func close(dropping isDropped: Bool) -> [WriteJob] {
        isClosed = true
        guard isDropped else { return [] }
        defer { jobs = [] }
        return jobs
    }

    mutating func waitForEnd(_ completion: @escaping @Sendable () -> Void) {
        waiting.append(completion)
    }

    /// What to do next, for the thread that serves the line; after `rest` and `end` it serves no longer.
    mutating func next(limit: Int) -> Turn {
        if !jobs.isEmpty {
            defer { jobs.removeFirst(min(limit, jobs.count)) }
            return .jobs(Array(jobs.prefix(limit)))
        }
        if isCheckpointDue, !isClosed {
            isCheckpointDue = false
            return .checkpoint
        }
        isServed = false
        guard isClosed, !waiting.isEmpty else { return .rest }
        defer { waiting = [] }
        return .end(waiting)
    }

    /// Gives up all, since there is no thread to serve it.
    mutating func abandon() -> (jobs: [WriteJob], waiting: [@Sendable () -> Void]) {
        defer { (jobs, waiting, isServed) = ([], [], false) }
        return (jobs, waiting)
    }
}
