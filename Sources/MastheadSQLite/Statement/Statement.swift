import CMastheadSQLite

/// A prepared statement of one connection.
@usableFromInline
package final class Statement {
    let handle: OpaquePointer
    let sql: SQL
    let parameterCount: Int32
    /// Where its text stands if it is a literal: what it is found by.
    let address: UnsafePointer<UInt8>?
    /// Whether a call is stepping through it: a call within that one needs another.
    var isBusy = false
    /// Whether the connection keeps it for the next call.
    let isKept: Bool
    /// Where the connection keeps what is bound to it, and how much that was when it began.
    let room: BindingRoom
    var roomMark = 0

    init(handle: OpaquePointer, sql: SQL, isKept: Bool, room: BindingRoom) {
        self.room = room
        self.handle = handle
        self.sql = sql
        self.isKept = isKept
        address = if case .literal(let text) = sql.text { text.utf8Start } else { nil }
        parameterCount = sqlite3_bind_parameter_count(handle)
    }

    deinit {
        sqlite3_finalize(handle)
    }
}

@available(*, unavailable)
extension Statement: Sendable {}
