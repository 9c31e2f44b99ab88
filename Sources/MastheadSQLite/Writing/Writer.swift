import MastheadLock

/// The one connection that writes, on a thread of its own that starts with the first job.
///
/// Jobs that arrive while a transaction is under way are taken together by the next.
final class Writer: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `connection` is touched only by `serve`, of which never two run at a time.
    private var connection: Connection?
    private let line = Lock(WriteLine())
    private let workers: Workers
    private let place: DatabasePlace

    init(place: DatabasePlace) {
        self.place = place
        workers = Workers(limit: 1, idleTime: place.options.idleTime)
    }

    // MARK: The line

    /// Puts a job at the end of the line.
    func add(_ job: WriteJob) throws(DatabaseError) {
        let mustServe = try line.withLock { (line) throws(DatabaseError) in
            try line.add(job, limit: place.options.queueLimit)
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

    /// Takes no more jobs; those that wait are done first, or dropped.
    func close(dropping isDropped: Bool) {
        for job in line.withLock({ $0.close(dropping: isDropped) }) { job.ticket.cancel(because: .closed) }
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
        for job in given.jobs { job.ticket.finish(.failure(.cannotOpen(reason: "the system has no thread to give"))) }
        for completion in given.waiting { completion() }
    }

    private func serve() {
        while true {
            switch line.withLock({ $0.next(limit: place.options.groupLimit) }) {
            case .jobs(let jobs):
                commit(jobs[...])
            case .checkpoint:
                break
            case .end(let waiting):
                connection = nil
                for completion in waiting { completion() }
                return
            case .rest:
                return
            }
        }
    }

    // MARK: Groups

    /// Why the transaction of a group failed.
    private enum Failure {
        /// Before any job ran: it would be the same for each.
        case opening(DatabaseError)
        case job(Int, DatabaseError)
        case committing(DatabaseError)
    }

    /// Commits jobs together; if one fails, it in a transaction of its own, between those before it and those after it.
    private func commit(_ jobs: ArraySlice<WriteJob>) {
        var rest = jobs
        while !rest.isEmpty, let failure = attempt(rest) {
            switch failure {
            case .opening(let error):
                return fail(rest, error)
            case .committing(let error):
                guard rest.count > 1 else { return fail(rest, error) }
                for index in rest.indices { commit(rest[index...index]) }
                return
            case .job(let index, let error):
                let (before, job) = (rest[..<index], rest[index...index])
                if before.isEmpty || rest[index].ticket.interruption.isWished {
                    commit(before)
                    fail(job, error)
                } else {
                    // Perhaps it failed of what another had done.
                    commit(before)
                    commit(job)
                }
                rest = rest[(index + 1)...]
            }
        }
    }

    /// Runs jobs in one transaction and tells those who wait.
    private func attempt(_ jobs: ArraySlice<WriteJob>) -> Failure? {
        if jobs.contains(where: { $0.work != nil && !$0.ticket.isOver }) {
            let connection: Connection
            do throws(DatabaseError) {
                connection = try open()
                try connection.begin(.writing)
            } catch {
                drop(after: error)
                return .opening(error)
            }
            var ran = 0
            for index in jobs.indices {
                guard let work = jobs[index].work, jobs[index].ticket.begin() else { continue }
                ran += 1
                connection.interruption = jobs[index].ticket.interruption
                defer { connection.interruption = nil }
                do throws(DatabaseError) {
                    try work(connection)
                    try connection.checkTransaction()
                } catch {
                    rollBack(connection, after: error)
                    return .job(index, error)
                }
            }
            do throws(DatabaseError) {
                try connection.commit()
            } catch {
                rollBack(connection, after: error)
                return .committing(error)
            }
            line.withLock {
                $0.counts.commits += 1
                $0.counts.jobs += ran
            }
        }
        for job in jobs { job.ticket.finish(.success(())) }
        return nil
    }

    private func fail(_ jobs: ArraySlice<WriteJob>, _ error: DatabaseError) {
        for job in jobs { job.ticket.finish(.failure(place.meaning(of: error))) }
    }

    private func open() throws(DatabaseError) -> Connection {
        if let connection { return connection }
        let connection = try place.openWriter()
        self.connection = connection
        return connection
    }

    private func rollBack(_ connection: Connection, after error: DatabaseError) {
        connection.rollBack()
        drop(after: error)
        line.withLock { $0.counts.rollbacks += 1 }
    }

    /// Gives up a connection that is in no state to go on.
    private func drop(after error: DatabaseError) {
        if error.endsConnection || connection?.isAtRest == false { connection = nil }
    }
}
