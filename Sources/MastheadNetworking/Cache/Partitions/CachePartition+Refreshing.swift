import MastheadLock

extension CachePartition {
    /// The turn to ask about one key behind what was served; it must be ended.
    struct RefreshTurn: Sendable {
        fileprivate let partition: CachePartition
        fileprivate let key: EntryKey

        /// Lets the next one ask.
        func end() { partition.refreshing.withLock { _ = $0.remove(key) } }
    }

    /// Begins to ask about a key; `nil` if somebody does so already.
    func beginRefresh(of key: EntryKey) -> RefreshTurn? {
        let isFirst = refreshing.withLock { $0.insert(key).inserted }
        return isFirst ? RefreshTurn(partition: self, key: key) : nil
    }
}
