import MastheadSQLite

/// How the elements of one kind are read.
struct LibraryTable<Element: Sendable>: Sendable {
    /// The table's name.
    let name: String

    /// What ``read`` takes a row to be made of, where `e` is the table.
    let columns: String

    /// The same, and where the text comes from; `nil` for what has none.
    let withBody: (columns: String, join: String)?

    /// The order where nothing else is asked for.
    let order: String

    /// What an observer has to be woken for.
    let marks: LibraryMarks

    /// Adds what a query finds to what was found before.
    ///
    /// Made where the kind is known, and not of a closure that reads one: so each is built where it stays.
    let append: Append

    typealias Append =
        @Sendable (SQL, QueryValues, Connection, inout [Element]) throws(DatabaseError) -> Void

    /// Adds to elements what other tables say of them; does nothing where the row said all.
    let complete: Complete

    typealias Complete = @Sendable (inout [Element], Connection) throws(DatabaseError) -> Void

    /// Finds the row of an id, with its text if it has one.
    private let byID: SQL

    /// Finds the row of a number, without its text.
    private let byNumber: SQL

    init(
        name: String,
        columns: String,
        withBody: (columns: String, join: String)? = nil,
        order: String,
        marks: LibraryMarks,
        append: @escaping Append,
        complete: @escaping Complete = { _, _ in }
    ) {
        self.name = name
        self.columns = columns
        self.withBody = withBody
        self.order = order
        self.marks = marks
        self.append = append
        self.complete = complete
        byID = SQL.dynamic(
            "SELECT \(withBody?.columns ?? columns) FROM \(name) e\(withBody?.join ?? "") WHERE e.id = ?"
        )
        byNumber = SQL.dynamic("SELECT \(columns) FROM \(name) e WHERE e.number = ?")
    }

    /// The elements that a query finds, with room made for so many.
    func all(
        _ sql: SQL,
        _ values: QueryValues,
        _ connection: Connection,
        room: Int = 0
    ) throws(DatabaseError) -> [Element] {
        var found: [Element] = []
        found.reserveCapacity(room)
        try append(sql, values, connection, &found)
        try complete(&found, connection)
        return found
    }

    /// The element of an id, with its text if it has one.
    func element(_ id: String, _ connection: Connection) throws(DatabaseError) -> Element? {
        try elements([id], connection).first
    }

    /// The element of a number, without its text.
    func element(_ number: Int64, _ connection: Connection) throws(DatabaseError) -> Element? {
        try all(byNumber, QueryValues(values: [.integer(number)]), connection).first
    }

    /// The elements of ids, with their texts if they have any, in that order; without those that are not there.
    func elements(_ ids: [String], _ connection: Connection) throws(DatabaseError) -> [Element] {
        var found: [Element] = []
        found.reserveCapacity(ids.count)
        for id in ids { try append(byID, QueryValues(values: [.text(id)]), connection, &found) }
        try complete(&found, connection)
        return found
    }
}
