import MastheadSQLite

extension CacheStore {
    /// Has somebody told when another process has changed the file.
    func whenChangedByOthers(_ action: @escaping @Sendable () -> Void) {
        database.onChange { _ in action() }
    }

    /// Waits until what others change is heard of.
    func settleWatching() async {
        _ = try? await database.changes()
    }
}
