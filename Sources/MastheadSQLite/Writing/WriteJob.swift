import MastheadLock

/// Work for the connection that writes, and the ticket of whoever waits for its commit.
struct WriteJob: Sendable {
    let ticket: Ticket<Void>
    let work: Work

    enum Work: Sendable {
        /// Nothing: it only marks a place in the line.
        case marker
        /// To be done in a transaction, with others.
        case transaction(Database.Job<Void>)
        /// To be done by itself, with no transaction open.
        case alone(@Sendable (Writer) throws(DatabaseError) -> Void)

        /// A transaction that keeps what a job makes, for after the commit.
        static func keeping<Output: Sendable>(_ output: Lock<Output?>, _ job: @escaping Database.Job<Output>) -> Self {
            .transaction { connection throws(DatabaseError) in
                let made = try job(connection)
                output.withLock { $0 = made }
            }
        }

        var isAlone: Bool {
            if case .alone = self { true } else { false }
        }
    }
}
