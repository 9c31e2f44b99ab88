/// What a database has done so far, to be looked at from outside.
package struct DatabaseCounts: Sendable, Hashable {
    /// The transactions that were committed.
    package var commits = 0
    /// The jobs in them.
    package var jobs = 0
    /// The transactions that were undone.
    package var rollbacks = 0
    /// How often it was noticed that others had committed.
    package var foreignChanges = 0
    /// The pages in the write-ahead log when it was last tried to move them into the file.
    package var logPages = 0
    /// Whether a reader kept some of them from being moved; the log grows until it ends.
    package var isLogHeld = false
}
