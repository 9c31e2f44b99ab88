import CMastheadSQLite
package import FoundationEssentials

/// Binds the values of one call to a statement's parameters, in order.
///
/// The first thing that goes wrong is kept until the statement is to be run.
package struct Bindings: ~Copyable {
    private let handle: OpaquePointer
    private let room: BindingRoom
    private(set) var count: Int32 = 0
    private(set) var code: Int32 = SQLITE_OK

    @usableFromInline
    package init(_ statement: Statement) {
        handle = statement.handle
        room = statement.room
    }

    /// Binds an integer to the next parameter.
    package mutating func append(integer value: Int64) {
        count += 1
        keep(sqlite3_bind_int64(handle, count, value))
    }

    /// Binds a floating-point number to the next parameter.
    package mutating func append(real value: Double) {
        count += 1
        keep(sqlite3_bind_double(handle, count, value))
    }

    /// Binds a copy of a text to the next parameter.
    package mutating func append(text value: String) {
        let isBound: Void? = value.utf8.withContiguousStorageIfAvailable { append(utf8: $0) }
        if isBound == nil { append(utf8: Array(value.utf8)) }
    }

    /// Binds a copy of bytes to the next parameter.
    package mutating func append(copying bytes: UnsafeRawBufferPointer) {
        count += 1
        let start = bytes.baseAddress ?? UnsafeRawPointer(emptyBytes)
        keep(masthead_sqlite3_bind_blob_copy(handle, count, start, UInt64(bytes.count)))
    }

    /// Binds a copy of bytes to the next parameter.
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(copying: $0) }
    }

    /// Binds a copy of bytes to the next parameter.
    package mutating func append(_ bytes: Data) {
        bytes.withUnsafeBytes { append(copying: $0) }
    }

    /// Binds bytes to the next parameter where they are: they must stay until the statement is done.
    package mutating func append(borrowing bytes: UnsafeRawBufferPointer) {
        count += 1
        let start = bytes.baseAddress ?? UnsafeRawPointer(emptyBytes)
        keep(masthead_sqlite3_bind_blob_borrowed(handle, count, start, UInt64(bytes.count)))
    }

    /// Binds a copy of a text to the next parameter, or leaves it NULL.
    package mutating func append(text value: String?) {
        if let value { append(text: value) } else { appendNull() }
    }

    /// Binds a copy of UTF-8 as a text to the next parameter.
    package mutating func append(utf8 bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append(utf8: $0) }
    }

    private mutating func append(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        count += 1
        if let place = room.keep(bytes) {
            keep(sqlite3_bind_text64(handle, count, place, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
        } else {
            let start = bytes.baseAddress ?? emptyBytes
            keep(masthead_sqlite3_bind_text_copy(handle, count, start, UInt64(bytes.count)))
        }
    }

    /// Leaves the next parameter NULL.
    package mutating func appendNull() {
        // Nothing is bound to begin with, and what is not bound is NULL.
        count += 1
    }

    private mutating func keep(_ code: Int32) {
        if self.code == SQLITE_OK { self.code = code }
    }
}

/// An address for bytes that are none: SQLite takes a missing one for NULL.
private var emptyBytes: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }
