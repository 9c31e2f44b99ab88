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

    /// Makes an element of a row, with what other tables say of it.
    let read: @Sendable (borrowing Row, Connection) throws(DatabaseError) -> Element

    /// Finds the row of an id, with its text if it has one.
    private let byID: SQL

    init(
        name: String,
        columns: String,
        withBody: (columns: String, join: String)? = nil,
        order: String,
        marks: LibraryMarks,
        read: @escaping @Sendable (borrowing Row, Connection) throws(DatabaseError) -> Element
    ) {
        self.name = name
        self.columns = columns
        self.withBody = withBody
        self.order = order
        self.marks = marks
        self.read = read
        byID = .dynamic(
            "SELECT \(withBody?.columns ?? columns) FROM \(name) e\(withBody?.join ?? "") WHERE e.id = ?"
        )
    }

    /// The element of an id, with its text if it has one.
    func element(_ id: String, _ connection: Connection) throws(DatabaseError) -> Element? {
        try connection.first(byID, id) { (row) throws(DatabaseError) in
            try read(row, connection)
        }
    }
}
