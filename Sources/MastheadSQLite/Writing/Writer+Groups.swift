import MastheadLock

extension Writer {
    /// Why the transaction of a group failed.
    private enum Failure {
        /// Before any job ran: it would be the same for each.
        case opening(DatabaseError)
        case job(Int, DatabaseError)
        case committing(DatabaseError)
    }

    /// Commits jobs together; if one fails, it in a transaction of its own, between those before it and those after it.
    func commit(_ jobs: ArraySlice<WriteJob>) {
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
                commit(before)
                if before.isEmpty || rest[index].ticket.interruption.isWished {
                    fail(job, error)
                } else {
                    // Perhaps it failed of what another had done.
                    commit(job)
                }
                rest = rest[(index + 1)...]
            }
        }
    }

    /// Runs jobs in one transaction and tells those who wait.
    private func attempt(_ jobs: ArraySlice<WriteJob>) -> Failure? {
        if jobs.contains(where: \.isToRun), let failure = transact(jobs) { return failure }
        for job in jobs { job.ticket.finish(.success(())) }
        return nil
    }

    private func transact(_ jobs: ArraySlice<WriteJob>) -> Failure? {
        let connection: Connection
        do throws(DatabaseError) {
            connection = try begin()
        } catch {
            drop(after: error)
            return .opening(error)
        }
        // Nobody else writes to this file now. Whoever does right after the commit is seen, since it is looked for others
        // once they are heard again.
        var isLong = false
        connection.whenLong = { [changes] in
            isLong = true
            changes.setQuiet(true)
        }
        defer {
            connection.whenLong = nil
            if isLong { changes.setQuiet(false) }
        }
        var count = 0
        for index in jobs.indices {
            guard case .transaction(let work) = jobs[index].work, jobs[index].ticket.begin() else { continue }
            count += 1
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
            $0.counts.jobs += count
        }
        return nil
    }

    /// Begins a transaction on the file as it is now.
    private func begin() throws(DatabaseError) -> Connection {
        let connection = try open()
        do throws(DatabaseError) {
            try connection.begin(.writing)
            try noticeOthers(connection)
        } catch {
            connection.rollBack()
            throw error
        }
        return connection
    }

    private func fail(_ jobs: ArraySlice<WriteJob>, _ error: DatabaseError) {
        for job in jobs { job.ticket.finish(.failure(place.meaning(of: error))) }
    }

    private func rollBack(_ connection: Connection, after error: DatabaseError) {
        connection.rollBack()
        drop(after: error)
        line.withLock { $0.counts.rollbacks += 1 }
    }
}

extension WriteJob {
    /// Whether there is anything to do for it still.
    fileprivate var isToRun: Bool {
        if case .transaction = work { !ticket.isOver } else { false }
    }
}
