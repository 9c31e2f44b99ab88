import MastheadLock
import MastheadSQLite

extension Library {
    /// Does what the closure asks for, in one transaction: whole, or not at all.
    ///
    /// ```swift
    /// try await library.apply { $0.save(issue) }
    /// ```
    ///
    /// It is on disk when this returns, and observers have been woken. Cancelling the task calls it off unless it is over.
    ///
    /// - Throws: ``LibraryError/full`` and others; nothing was changed then.
    @concurrent
    public func apply(_ collect: @Sendable (inout LibraryChanges) -> Void) async throws(LibraryError) {
        var changes = LibraryChanges()
        collect(&changes)
        try await apply(changes)
    }

    /// Does what was collected, in one transaction: whole, or not at all.
    ///
    /// - Throws: As ``apply(_:)`` with a closure.
    @concurrent
    public func apply(_ changes: LibraryChanges) async throws(LibraryError) {
        guard !changes.steps.isEmpty else { return }
        _ = try await perform(changes)
    }

    /// Does what was collected.
    ///
    /// - Returns: What it removed because nothing named it any more.
    func perform(_ changes: LibraryChanges) async throws(LibraryError) -> [LibraryItem] {
        let refusal = Lock<LibraryError?>(nil)
        let done: (marks: LibraryMarks, hasDoomedFiles: Bool, removed: [LibraryItem])
        do throws(DatabaseError) {
            done = try await database.write { [whenInTransaction] connection throws(DatabaseError) in
                refusal.withLock { $0 = nil }
                whenInTransaction?(true)
                defer { whenInTransaction?(false) }
                var writer = LibraryWriter(connection, changes)
                do throws(LibraryRefusal) {
                    for step in changes.steps { try writer.run(step) }
                    try writer.finish()
                } catch {
                    switch error {
                    case .database(let error): throw error
                    case .library(let error):
                        refusal.withLock { $0 = error }
                        throw .cancelled
                    }
                }
                return (writer.marks, writer.hasDoomedFiles, writer.removed)
            }
        } catch {
            throw refusal.withLock { $0 } ?? LibraryError(error)
        }
        broadcaster.changed(done.marks)
        // Committed it is; a file that cannot be removed now is removed when the library is opened the next time.
        if done.hasDoomedFiles { try? await removeDoomedFiles() }
        return done.removed
    }
}
