/// The jobs that wait for the connection that writes, in order, and what else is due there.
struct WriteLine {
    private var jobs: [WriteJob] = []
    /// Whether a thread takes jobs from it, or is about to.
    private var isServed = false
    private(set) var isClosed = false
    /// Who waits until the line is closed and done.
    private var waiting: [@Sendable () -> Void] = []
    /// Whether the write-ahead log should be moved into the file.
    var isCheckpointDue = false
    /// Whether others may have changed the file.
    var isLookDue = false
    /// The first failure of a job that nobody waited for.
    var unreported: DatabaseError?
    var counts = DatabaseCounts()

    enum Turn {
        /// Jobs for one transaction.
        case jobs([WriteJob])
        case alone(WriteJob)
        case checkpoint
        case look
        case end([@Sendable () -> Void])
        case rest
    }

    /// Puts a job at the end.
    mutating func add(_ job: WriteJob, limit: Int) throws(DatabaseError) {
        guard !isClosed else { throw .closed }
        guard jobs.count < limit else { throw .busy }
        jobs.append(job)
    }

    /// Says whether a thread must be sent: to the first who asks.
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
        if isCheckpointDue, !isClosed {
            isCheckpointDue = false
            return .checkpoint
        }
        if let first = jobs.first {
            if first.work.isAlone { return .alone(jobs.removeFirst()) }
            let group = jobs.prefix(limit).prefix { !$0.work.isAlone }
            defer { jobs.removeFirst(group.count) }
            return .jobs(Array(group))
        }
        if isLookDue, !isClosed {
            isLookDue = false
            return .look
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
