extension PagedSequence {
    /// The pages of a list.
    ///
    /// ```swift
    /// for try await page in comments.comments(on: "orbit").pages { store(page) }
    /// ```
    ///
    /// A page may be empty: servers that filter give such ones before the last.
    public struct Pages: AsyncSequence, Sendable {
        /// The elements of one page.
        public typealias Element = [PagedSequence.Element]

        /// What ends an iteration early.
        public typealias Failure = RepositoryError

        typealias Begin = @Sendable (SessionPin) -> PageWalk<PagedSequence.Element>

        /// Begins a walk that keeps to the pinned sessions.
        let begin: Begin

        /// Starts from the first page.
        public func makeAsyncIterator() -> Iterator {
            Iterator(walk: begin(SessionPin()))
        }

        /// Walks through the pages.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let walk: PageWalk<PagedSequence.Element>

            /// The next page; `nil` after the last, and after a failure has been thrown.
            public mutating func next() async throws(RepositoryError) -> [PagedSequence.Element]? {
                try await walk.next()
            }

            /// The next page; `nil` after the last, and after a failure has been thrown.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(RepositoryError) -> [PagedSequence.Element]? {
                try await walk.next()
            }
        }
    }
}
