/// A connection that reads, on its way from one job to the next.
final class Reader: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: used only by whoever took it from the pool, until it is given back.
    private(set) var connection: Connection?

    init(_ connection: Connection) {
        self.connection = connection
    }

    func close() {
        connection = nil
    }
}
