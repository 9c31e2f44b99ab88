import MastheadLock

extension Database {
    /// Gives a job to the writer, and tells what came of it: on the writer's thread, once it is committed or failed.
    ///
    /// What it failed of is nothing that ``flush()`` says.
    package func enqueue<Output: Sendable>(
        _ job: @escaping Job<Output>,
        whenDone: @escaping @Sendable (Result<Output, DatabaseError>) -> Void
    ) {
        let output = Lock<Output?>(nil)
        let ticket = Ticket<Void>()
        ticket.onCompletion { outcome in
            switch outcome {
            case .failure(let error): whenDone(.failure(error))
            case .success:
                if let output = output.withLock({ $0 }) {
                    whenDone(.success(output))
                } else {
                    whenDone(.failure(.closed))
                }
            }
        }
        do throws(DatabaseError) {
            try writer.add(
                WriteJob(ticket: ticket) { connection throws(DatabaseError) in
                    let made = try job(connection)
                    output.withLock { $0 = made }
                }
            )
        } catch {
            ticket.finish(.failure(error))
        }
    }
}
