import CMastheadSQLite

extension Connection {
    /// Runs one statement to its end; rows it gives are passed over.
    @inlinable
    package func run<each Value: Bindable>(_ sql: SQL, _ values: repeat each Value) throws(DatabaseError) {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        repeat (each values).bind(to: &bindings)
        try check(bindings, of: statement)
        while try step(statement) {}
    }

    /// Reads the first row of a query.
    ///
    /// - Returns: What `read` made of it; `nil` if there is no row.
    @inlinable
    package func first<Result, each Value: Bindable>(
        _ sql: SQL,
        _ values: repeat each Value,
        read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result? {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        repeat (each values).bind(to: &bindings)
        try check(bindings, of: statement)
        guard try step(statement) else { return nil }
        return try read(Row(statement))
    }

    /// Reads one row after the other, and keeps none.
    @inlinable
    package func each<each Value: Bindable>(
        _ sql: SQL,
        _ values: repeat each Value,
        read: (borrowing Row) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        repeat (each values).bind(to: &bindings)
        try check(bindings, of: statement)
        let row = Row(statement)
        while try step(statement) { try read(row) }
    }

    /// Reads all rows of a query.
    @inlinable
    package func all<Result, each Value: Bindable>(
        _ sql: SQL,
        _ values: repeat each Value,
        read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> [Result] {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        repeat (each values).bind(to: &bindings)
        try check(bindings, of: statement)
        let row = Row(statement)
        var results: [Result] = []
        while try step(statement) { results.append(try read(row)) }
        return results
    }

    /// Reads the first column of the first row.
    ///
    /// - Returns: The value; `nil` if there is no row or NULL stands there.
    @inlinable
    package func value<Result: ColumnReadable, each Value: Bindable>(
        _ sql: SQL,
        _ values: repeat each Value,
        as type: Result.Type = Result.self
    ) throws(DatabaseError) -> Result? {
        let statement = try begin(sql)
        defer { end(statement) }
        var bindings = Bindings(statement)
        repeat (each values).bind(to: &bindings)
        try check(bindings, of: statement)
        guard try step(statement) else { return nil }
        return Row(statement)[0]
    }

    /// Runs all statements of a text, one after the other, without values: a schema, or settings.
    package func execute(_ sql: SQL) throws(DatabaseError) {
        try admit()
        let text = sql.withUTF8 { String(decoding: $0, as: UTF8.self) }
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, of: sql) }
    }

    /// The rows that the last `INSERT`, `UPDATE` or `DELETE` wrote or removed.
    package var changeCount: Int { Int(sqlite3_changes64(handle)) }

    /// The key of the row that the last `INSERT` made.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}
