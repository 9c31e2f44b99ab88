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
        try writer.add(WriteJob(ticket: ticket, work: .transaction(job)))
    }

    /// Gives a job to the writer, and has somebody told what came of it.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - whenDone: Called once, with what the job made when it is committed, or with what kept it from being; on the
    ///     writer's thread, which it must not keep. ``flush()`` says nothing of it then.
    package func enqueue<Output: Sendable>(
        _ job: @escaping Job<Output>,
        whenDone: @escaping @Sendable (Result<Output, DatabaseError>) -> Void
    ) {
        let output = Lock<Output?>(nil)
        let ticket = Ticket<Void>()
        ticket.onCompletion { outcome in whenDone(outcome.flatMap { Self.result(output.withLock { $0 }) }) }
        do throws(DatabaseError) {
            try writer.add(WriteJob(ticket: ticket, work: .keeping(output, job)))
        } catch {
            ticket.finish(.failure(error))
        }
    }

    /// Does a job and waits until it is committed.
    ///
    /// A task that is cancelled calls its job off if it has not begun; one under way is stopped and undone, unless it is
    /// over before it notices.
    package func write<Output: Sendable>(_ job: @escaping Job<Output>) async throws(DatabaseError) -> Output {
        let output = Lock<Output?>(nil)
        try await finish(.keeping(output, job))
        return try Self.result(output.withLock { $0 }).get()
    }

    private static func result<Output>(_ output: Output?) -> Result<Output, DatabaseError> {
        output.map(Result.success) ?? .failure(.misuse("a job was committed that did not run"))
    }

    /// Waits until all that was enqueued before is committed.
    ///
    /// - Throws: The first failure of a job that was enqueued since the last call.
    package func flush() async throws(DatabaseError) {
        try await finish(.marker)
        if let error = writer.takeReport() { throw error }
    }

    /// Makes and migrates the file if need be.
    ///
    /// Reading and writing do so by themselves; this is for learning early that it fails.
    package func prepare() async throws(DatabaseError) {
        try await finish(.transaction { _ in })
    }

    /// Does work by itself, between the groups.
    func alone(_ work: @escaping @Sendable (Writer) throws(DatabaseError) -> Void) async throws(DatabaseError) {
        try await finish(.alone(work))
    }

    private func finish(_ work: WriteJob.Work) async throws(DatabaseError) {
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
