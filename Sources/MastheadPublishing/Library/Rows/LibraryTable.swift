import MastheadSQLite

/// How the elements of one kind are read.
struct LibraryTable<Element: Sendable>: Sendable {
    /// The table's name.
    let name: String

    /// What ``read`` takes a row to be made of, where `e` is the table.
    let columns: String

    /// The same, and where the text comes from; `nil` for what has none.
    var withBody: (columns: String, join: String)?

    /// The order where nothing else is asked for.
    let order: String

    /// What an observer has to be woken for.
    let marks: LibraryMarks

    /// Makes an element of a row, with what other tables say of it.
    let read: @Sendable (borrowing Row, Connection) throws(DatabaseError) -> Element
}
