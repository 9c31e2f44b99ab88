import CMastheadSQLite

// The same as the calls with a list of values, for what is done very often: whoever calls binds and reads each value by its
// own type, so that no generic code stands in between.
extension Connection {
    /// Runs one statement to its end.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - bind: Binds its values in order; what it lends must stay until this returns.
    /// - Throws: What the statement failed of.
    package func run(_ sql: SQL, binding bind: (inout Bindings) -> Void) throws(DatabaseError) {
        try each(sql, binding: bind) { _ in true }
    }

    /// Reads one row after the other, and keeps none.
    ///
    /// - Parameters:
    ///   - sql: The query.
    ///   - bind: Binds its values in order; what it lends must stay until this returns.
    ///   - read: Reads a row, and says whether it wants to see the next.
    /// - Throws: What the query or the reading failed of.
    package func each(
        _ sql: SQL,
        binding bind: (inout Bindings) -> Void,
        read: (borrowing Row) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        bind(&bindings)
        try check(bindings, of: statement)
        let row = Row(statement)
        while try step(statement) {
            guard try read(row) else { return }
        }
    }
}
