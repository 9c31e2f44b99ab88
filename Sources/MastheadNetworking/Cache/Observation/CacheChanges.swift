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
/// by another process on the same file count too.
public struct CacheChanges<Element: Sendable>: AsyncSequence, Sendable {
    /// It does not fail: what cannot be read is not there.
    public typealias Failure = Never

    /// What is so at a moment, and what tells it from what was so before.
    struct Snapshot: Sendable {
        let print: [Int64]
        let element: Element
    }

    /// Gives what is so; `nil` if that is what is known already.
    typealias Look = @Sendable (_ known: [Int64]?) async -> Snapshot?

    private let wakes: @Sendable () -> AsyncStream<Void>
    private let look: Look

    init(wakes: @escaping @Sendable () -> AsyncStream<Void>, look: @escaping Look) {
        self.wakes = wakes
        self.look = look
    }

    /// Begins with what is there.
    public func makeAsyncIterator() -> Iterator {
        // Before the first look, so that nothing happens between the two.
        Iterator(wakes: wakes().makeAsyncIterator(), look: look)
    }

    /// Reads change after change.
    public struct Iterator: AsyncIteratorProtocol {
        private var wakes: AsyncStream<Void>.Iterator
        private let look: Look
        private var known: [Int64]?

        fileprivate init(wakes: AsyncStream<Void>.Iterator, look: @escaping Look) {
            self.wakes = wakes
            self.look = look
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            repeat {
                if let snapshot = await look(known) {
                    known = snapshot.print
                    return snapshot.element
                }
            } while await wakes.next(isolation: actor) != nil
            return nil
        }
    }
}
