package import FoundationEssentials

/// What a column of a row can be read as.
package protocol ColumnReadable {
    init(_ column: Int, of row: borrowing Row)
}

extension Int64: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.integer(column) }
}

extension Int: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self.init(truncatingIfNeeded: row.integer(column)) }
}

extension Bool: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.integer(column) != 0 }
}

extension Double: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.real(column) }
}

/// What is no UTF-8 is repaired.
extension String: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.text(column) }
}

extension [UInt8]: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.array(column) }
}

extension Data: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) { self = row.data(column) }
}

/// `nil` for NULL.
extension Optional: ColumnReadable where Wrapped: ColumnReadable {
    package init(_ column: Int, of row: borrowing Row) {
        self = row.isNull(column) ? nil : Wrapped(column, of: row)
    }
}
