/// Work for the connection that writes, and the ticket of whoever waits for its commit.
struct WriteJob: Sendable {
    let ticket: Ticket<Void>
    /// What to do; `nil` only marks a place in the line.
    let work: (@Sendable (Connection) throws(DatabaseError) -> Void)?
}
