/// Work for a connection that reads.
struct ReadJob: Sendable {
    /// Runs it on a connection; `nil` if the file must be made or migrated first.
    let run: @Sendable (Connection?) -> Ending
    /// Tells who waits that there is no connection for it.
    let fail: @Sendable (DatabaseError) -> Void

    /// What is left to do when it ran.
    struct Ending {
        /// What it failed of.
        var error: DatabaseError?
        /// Tells who waits, once the connection is free for others.
        let tell: () -> Void
    }

    /// Work that reads within one transaction, and whose outcome a ticket awaits: `nil` if the file is not prepared.
    init<Output>(ticket: Ticket<Output?>, place: DatabasePlace, body: @escaping Database.Job<Output>) {
        fail = { ticket.finish(.failure($0)) }
        run = { connection in
            guard ticket.begin() else { return Ending {} }
            guard let connection else { return Ending { ticket.finish(.success(nil)) } }
            connection.interruption = ticket.interruption
            defer { connection.interruption = nil }
            do throws(DatabaseError) {
                let output = try connection.transaction(.reading) { () throws(DatabaseError) in try body(connection) }
                return Ending { ticket.finish(.success(output)) }
            } catch {
                let error = place.meaning(of: error)
                return Ending(error: error) { ticket.finish(.failure(error)) }
            }
        }
    }
}
