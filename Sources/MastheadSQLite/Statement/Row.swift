import CMastheadSQLite
package import FoundationEssentials

/// The row that a query stands at; it is gone when the closure that was given it returns.
///
/// Columns are numbered from 0 and read as the type that is asked for:
///
/// ```swift
/// let entries = try connection.all("SELECT key, etag, bytes FROM payload") { row in
///     Entry(key: row[0], etag: row[1], byteCount: row[2])  // a String, a String? and an Int
/// }
/// ```
///
/// SQLite converts where a column holds another type, and gives zero or emptiness for NULL; read what may be NULL as an
/// optional.
package struct Row: ~Copyable {
    let handle: OpaquePointer

    @usableFromInline
    package init(_ statement: Statement) {
        handle = statement.handle
    }

    /// A column's value.
    @inlinable
    package subscript<Value: ColumnReadable>(_ column: Int) -> Value {
        Value(column, of: self)
    }

    /// How many columns there are.
    package var count: Int { Int(sqlite3_column_count(handle)) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// Gives the bytes of a column where SQLite has them, without a copy.
    package func withBytes<Result, Failure: Error>(
        _ column: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes(column))
    }

    /// The bytes of a blob or, as UTF-8, of a text; they are gone with the row, or when the column is read as another type.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    /// The integer of a column; 0 for NULL.
    package func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// The floating-point number of a column; 0 for NULL.
    package func real(_ column: Int) -> Double {
        sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
    }

    /// A copy of a column's bytes.
    package func array(_ column: Int) -> [UInt8] { [UInt8](bytes(column)) }

    /// A copy of a column's bytes.
    package func data(_ column: Int) -> Data {
        let bytes = bytes(column)
        return bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
    }

    /// The text of a column, `nil` for NULL; what is no UTF-8 is repaired.
    package func optionalText(_ column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))),
            as: UTF8.self
        )
    }

    /// The text of a column; what is no UTF-8 is repaired.
    package func text(_ column: Int) -> String { optionalText(column) ?? "" }
}
