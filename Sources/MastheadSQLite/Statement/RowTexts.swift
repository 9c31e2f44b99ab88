import CMastheadSQLite

/// The texts of a row as they stood there, of which each is made a `String` when somebody asks for it: many rows are read,
/// and few of their texts looked at.
package struct RowTexts: Sendable, Hashable {
    /// Where each text ends, as 32 bits of which the highest says that there is none; then all texts, one after the other.
    private let bytes: [UInt8]
    private let count: Int

    /// Copies the texts of columns.
    package init(_ row: borrowing Row, columns: Range<Int>) {
        let handle = row.handle
        count = columns.count
        let head = columns.count * 4
        bytes = withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: columns.count) { texts in
            var size = head
            for (index, column) in columns.enumerated() {
                let column = Int32(truncatingIfNeeded: column)
                let start = UnsafeRawPointer(sqlite3_column_text(handle, column))
                let text = UnsafeRawBufferPointer(
                    start: start,
                    count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
                )
                texts.initializeElement(at: index, to: text)
                size += text.count
            }
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                var end = head
                for (index, text) in texts.enumerated() {
                    UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: text)
                    end += text.count
                    let mark = UInt32(truncatingIfNeeded: end) | (text.baseAddress == nil ? Self.isNull : 0)
                    bytes.storeBytes(of: mark, toByteOffset: index * 4, as: UInt32.self)
                }
                count = size
            }
        }
    }

    /// The text of a column, counted from the first that was copied, and `nil` for NULL; what is no UTF-8 is repaired.
    package subscript(index: Int) -> String? {
        bytes.withUnsafeBytes { bytes in
            let end = bytes.load(fromByteOffset: index * 4, as: UInt32.self)
            guard end & Self.isNull == 0 else { return nil }
            let last = index == 0 ? UInt32(count * 4) : bytes.load(fromByteOffset: index * 4 - 4, as: UInt32.self)
            let start = last & ~Self.isNull
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(end)]), as: UTF8.self)
        }
    }

    private static var isNull: UInt32 { 1 << 31 }
}
