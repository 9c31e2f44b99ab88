/// A connection that reads, on its way from one job to the next.
final class Reader: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: used only by whoever took it from the pool, until it is given back.
    private(set) var connection: Connection?
    /// Which file it has open, if the file was replaced meanwhile.
    let generation: Int

    init(_ connection: Connection, generation: Int) {
        self.connection = connection
        self.generation = generation
    }

    func close() {
        connection = nil
    }
}
