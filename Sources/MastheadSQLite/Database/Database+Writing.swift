import MastheadLock

extension Database {
    /// A piece of writing.
    ///
    /// It runs in a transaction that it neither begins nor ends, often together with others. If one of them fails, all are
    /// undone and run again, so what a job does outside the database must bear being done twice. An error that it throws
    /// undoes it, and it alone.
    package typealias Job<Output> = @Sendable (Connection) throws(DatabaseError) -> Output

    /// Gives a job to the writer, and does not wait for it.
    ///
    /// Jobs are done in the order in which they came. Should this one fail, the next ``flush()`` says so.
    ///
    /// - Throws: `.closed`; `.busy` if too many jobs wait already, in which case this one will not be done.
    package func enqueue(_ job: @escaping Job<Void>) throws(DatabaseError) {
        let ticket = Ticket<Void>()
        ticket.onCompletion { [writer] outcome in
            if case .failure(let error) = outcome { writer.report(error) }
        }
        try writer.add(WriteJob(ticket: ticket, work: job))
    }

    /// Does a job and waits until it is committed.
    ///
    /// A task that is cancelled calls its job off if it has not begun; one under way is stopped and undone, unless it is
    /// over before it notices.
    package func write<Output: Sendable>(_ job: @escaping Job<Output>) async throws(DatabaseError) -> Output {
        let output = Lock<Output?>(nil)
        try await finish { connection throws(DatabaseError) in
            let made = try job(connection)
            output.withLock { $0 = made }
        }
        guard let output = output.withLock({ $0 }) else { throw .misuse("a job was committed that did not run") }
        return output
    }

    /// Waits until all that was enqueued before is committed.
    ///
    /// - Throws: The first failure of a job that was enqueued since the last call.
    package func flush() async throws(DatabaseError) {
        try await finish(nil)
        if let error = writer.takeReport() { throw error }
    }

    /// Makes and migrates the file if need be.
    ///
    /// Reading and writing do so by themselves; this is for learning early that it fails.
    package func prepare() async throws(DatabaseError) {
        try await finish { _ in }
    }

    private func finish(_ work: Job<Void>?) async throws(DatabaseError) {
        let ticket = Ticket<Void>()
        let outcome = await ticket.outcome { [writer] in
            do throws(DatabaseError) {
                try writer.add(WriteJob(ticket: ticket, work: work))
            } catch {
                ticket.finish(.failure(error))
            }
        }
        try outcome.get()
    }
}
