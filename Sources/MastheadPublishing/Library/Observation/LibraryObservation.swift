/// What a query finds: as it is, and after each change.
///
/// ```swift
/// for await issues in library.observe(library.issues.ofVolume("v1")) { show(issues) }
/// ```
///
/// Each iteration begins with what is there. It leaves out what was replaced before a slow reader came to it, always comes
/// to the last, says nothing where nothing changed, and ends with the task that reads and when the library is closed.
/// Changes by another process on the same folder count too.
public struct LibraryObservation<Element: Identifiable & Hashable & Sendable>: AsyncSequence, Sendable
where Element.ID: Sendable {
    /// It does not fail: while a library cannot be read, nothing is told.
    public typealias Failure = Never

    let query: LibraryQuery<Element>

    /// Begins with what is there.
    public func makeAsyncIterator() -> Iterator {
        // Before the first look, so that nothing happens between the two.
        let wakes = query.library.broadcaster.wakes(for: query.table.marks)
        return Iterator(wakes: wakes.makeAsyncIterator(), query: query)
    }

    /// Reads change after change.
    public struct Iterator: AsyncIteratorProtocol {
        private var wakes: AsyncStream<Void>.Iterator
        private let query: LibraryQuery<Element>
        private var known: [Element]?

        fileprivate init(wakes: AsyncStream<Void>.Iterator, query: LibraryQuery<Element>) {
            self.wakes = wakes
            self.query = query
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next() async -> [Element]? {
            await next(isolation: #isolation)
        }

        /// What is there now, or after the next change; `nil` when it is over.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [Element]? {
            repeat {
                if let found = try? await query.all(), found != known {
                    known = found
                    return found
                }
            } while await wakes.next(isolation: actor) != nil
            return nil
        }
    }
}

extension Library {
    /// What a query finds, now and after each change.
    public func observe<Element>(_ query: LibraryQuery<Element>) -> LibraryObservation<Element> {
        LibraryObservation(query: query)
    }

    /// How many observe something of it.
    package var observerCount: Int { broadcaster.count }
}
