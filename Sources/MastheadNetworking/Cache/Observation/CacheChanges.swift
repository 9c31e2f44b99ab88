/// What is kept under a key, a tag or a type: as it is, and after each change.
///
/// ```swift
/// for await entry in bookmarks.changes(Bookmark.self, for: "b-7") {
///     if let entry { show(entry.value) } else { showNone() }
/// }
/// ```
///
/// Each iteration begins with what is there. It leaves out what was replaced before a slow reader came to it, always comes
/// to the last, and ends with the session that the values belong to, with the cache, and with the task that reads. Changes
/// by another process on the same file count too. What cannot be read for the moment, which is reported to
/// ``ModelCache/Options/onProblem``, is read again a little later, and nothing is given until then.
public struct CacheChanges<Element: Sendable>: AsyncSequence, Sendable {
    /// It does not fail: what cannot be read is tried again.
    public typealias Failure = Never

    /// What is so at a moment, and what tells it from what was so before.
    struct Snapshot: Sendable {
        let print: [Int64]
        let element: Element
    }

    /// Gives what is so; `nil` if that is what is known already.
    typealias Look = @Sendable (_ known: [Int64]?) async -> Snapshot?

    private let partition: CachePartition?
    private let subject: CacheBroadcaster.Subject
    private let look: Look

    init(_ subject: CacheBroadcaster.Subject, in partition: CachePartition?, look: @escaping Look) {
        self.subject = subject
        self.partition = partition
        self.look = look
    }

    /// Begins with what is there.
    public func makeAsyncIterator() -> Iterator {
        // Before the first look, so that nothing happens between the two.
        partition?.watchOthers()
        return Iterator(partition: partition, wakes: partition?.broadcaster.wakes(for: subject) ?? .over, look: look)
    }

    /// Reads change after change.
    public struct Iterator: AsyncIteratorProtocol {
        private let partition: CachePartition?
        private let wakes: CacheWakes
        private var stream: AsyncStream<Void>.Iterator
        private let look: Look
        private var known: [Int64]?

        fileprivate init(partition: CachePartition?, wakes: CacheWakes, look: @escaping Look) {
            self.partition = partition
            self.wakes = wakes
            stream = wakes.stream.makeAsyncIterator()
            self.look = look
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            var tries = 0
            while true {
                let failures = partition?.store.readFailures
                let snapshot = await look(known)
                var again: Task<Void, Never>?
                if let partition, partition.store.readFailures != failures {
                    // Whatever it saw, something may be missing.
                    again = wakes.ring(after: tries, on: partition.options.time)
                    tries += 1
                } else if let snapshot {
                    known = snapshot.print
                    return snapshot.element
                }
                let goesOn: Void? = await stream.next(isolation: actor)
                again?.cancel()
                if goesOn == nil { return nil }
            }
        }
    }
}
