import CMastheadSQLite

/// A prepared statement of one connection.
@usableFromInline
package final class Statement {
    let handle: OpaquePointer
    let sql: SQL
    let parameterCount: Int32
    /// Whether a call is stepping through it: a call within that one needs another.
    var isBusy = false
    /// Whether the connection keeps it for the next call.
    let isKept: Bool

    init(handle: OpaquePointer, sql: SQL, isKept: Bool) {
        self.handle = handle
        self.sql = sql
        self.isKept = isKept
        parameterCount = sqlite3_bind_parameter_count(handle)
    }

    deinit {
        sqlite3_finalize(handle)
    }
}

@available(*, unavailable)
extension Statement: Sendable {}
