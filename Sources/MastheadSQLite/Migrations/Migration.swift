/// One step of a schema: what turns the version before it into its own.
///
/// Steps run in one transaction with all others that are due, and with foreign keys checked at its end instead of row by
/// row, so that a step may rebuild a table.
package struct Migration: Sendable {
    let version: Int32
    let step: @Sendable (Connection) throws(DatabaseError) -> Void

    /// A step.
    ///
    /// - Parameters:
    ///   - version: The version it leads to. Never change a step that was shipped: add another.
    ///   - step: What it does.
    package init(to version: Int32, _ step: @escaping @Sendable (Connection) throws(DatabaseError) -> Void) {
        self.version = version
        self.step = step
    }

    /// A step that is a text of statements.
    package init(to version: Int32, _ sql: SQL) {
        self.init(to: version) { connection throws(DatabaseError) in try connection.execute(sql) }
    }
}
