extension PagedSequence {
    /// The same list, its next pages read while one is used.
    ///
    /// ```swift
    /// for try await comment in comments.comments(on: "orbit").prefetching(1) { show(comment) }
    /// ```
    ///
    /// Reading begins with the first element that is wanted, and ends with the iteration: when the loop is left or its task
    /// is cancelled, what is under way is cancelled. A failure comes after the pages that were read before it.
    ///
    /// - Parameter count: How many pages may be read, or under way, beyond the one in use; at least 1.
    /// - Returns: The list.
    public func prefetching(_ count: Int = 1) -> PagedSequence {
        PagedSequence { [pages] pin in
            ReadAhead(limit: count) { pages.begin(pin) }.walk(in: pin)
        }
    }
}
