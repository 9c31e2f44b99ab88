import MastheadLock

/// The one connection that writes, on a thread of its own that starts with the first job.
///
/// Jobs that arrive while a transaction is under way are taken together by the next.
final class Writer: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the `var`s are touched only by `serve`, of which never two run at a time.
    var connection: Connection?
    /// The length of the log at which readers are waited for, in pages.
    var insistence: Int
    private var hasOpened = false
    /// How often others were found writing when they were looked for.
    var looks = 0

    let line = Lock(WriteLine())
    let place: DatabasePlace
    let readers: ReaderPool
    let changes: ChangeFeed
    private let workers: Workers

    init(place: DatabasePlace, readers: ReaderPool) {
        self.place = place
        self.readers = readers
        changes = readers.changes
        insistence = place.options.checkpointPages * 4
        // Who reads, which takes microseconds, is not stopped each time that somebody wants to write, which takes longer.
        workers = Workers(limit: 1, idleTime: place.options.idleTime, arePatient: true)
    }

    /// Puts a job at the end of the line.
    func add(_ job: WriteJob) throws(DatabaseError) {
        let mustServe = try line.withLock { (line) throws(DatabaseError) in
            try line.add(job, limit: place.options.queueLimit)
            return line.mustBeServed()
        }
        if mustServe { startServing() }
    }

    /// Notes what is due besides the jobs.
    func note(_ change: @Sendable (inout WriteLine) -> Void) {
        let mustServe = line.withLock { line in
            guard !line.isClosed else { return false }
            change(&line)
            return line.mustBeServed()
        }
        if mustServe { startServing() }
    }

    /// Remembers the failure of a job that nobody waits for.
    func report(_ error: DatabaseError) {
        line.withLock { $0.unreported = $0.unreported ?? error }
    }

    /// The first such failure since the last call.
    func takeReport() -> DatabaseError? {
        line.withLock { line in
            defer { line.unreported = nil }
            return line.unreported
        }
    }

    var counts: DatabaseCounts { line.withLock { $0.counts } }
    var threadCount: Int { workers.threadCount }

    /// Takes no more jobs; those that wait are done first, or dropped.
    func close(dropping isDropped: Bool) {
        for job in line.withLock({ $0.close(dropping: isDropped) }) { job.ticket.cancel(because: .closed) }
        changes.end(forGood: true)
    }

    /// Closes the connection once all is done, and calls back.
    func end(_ completion: @escaping @Sendable () -> Void) {
        let mustServe = line.withLock { line in
            line.waitForEnd(completion)
            return line.mustBeServed()
        }
        if mustServe { startServing() }
    }

    private func startServing() {
        guard !workers.submit({ self.serve() }) else { return }
        let given = line.withLock { $0.abandon() }
        for job in given.jobs { job.ticket.finish(.failure(.noThread)) }
        for completion in given.waiting { completion() }
    }

    private func serve() {
        while true {
            switch line.withLock({ $0.next(limit: place.options.groupLimit) }) {
            case .jobs(let jobs):
                commit(jobs[...])
                keepLogShort()
            case .alone(let job):
                run(job)
            case .checkpoint:
                keepLogShort()
            case .look:
                lookForOthers()
            case .end(let waiting):
                connection = nil
                Patience.pause { for completion in waiting { completion() } }
                return
            case .rest:
                return
            }
        }
    }

    private func run(_ job: WriteJob) {
        guard case .alone(let work) = job.work, job.ticket.begin() else { return }
        do throws(DatabaseError) {
            try work(self)
            job.ticket.finish(.success(()))
        } catch {
            drop(after: error)
            job.ticket.finish(.failure(place.meaning(of: error)))
        }
    }

    /// The connection, opened if it is not; another if the file is not the one that it has open.
    func open() throws(DatabaseError) -> Connection {
        if let connection {
            guard connection.hasMoved else { return connection }
            replace()
        }
        let connection = try place.openWriter()
        self.connection = connection
        // Before its version is taken: what comes after that is told.
        if changes.noteOpening() { try? watch() }
        try connection.noteVersion()
        if hasOpened { changes.tell(.committed) }
        hasOpened = true
        return connection
    }

    /// Lets go of a file that was moved or removed.
    func replace() {
        connection = nil
        readers.renew()
        changes.tell(.replaced)
    }

    /// Gives up a connection that is in no state to go on.
    func drop(after error: DatabaseError) {
        if error.endsConnection || connection?.isAtRest == false { connection = nil }
    }
}
