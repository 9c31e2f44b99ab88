/// The elements of many lists as one: those of the first, then those of the second, and so on.
///
/// ```swift
/// let everything = concat(articles, prefetching: 1) { comments.comments(on: $0) }
/// for try await comment in everything { show(comment) }
/// ```
///
/// Each list is made when it is its turn, so there may be any number of them. A failure of one ends the whole. All of an
/// iteration belongs to one session, as that of one list does.
///
/// - Parameters:
///   - inputs: What the lists are made of.
///   - count: How many of the following lists have their first page read while a list is used; those are then read a page
///     ahead. 0 reads none.
///   - list: Makes the list of an input.
/// - Returns: The elements of all lists.
public func concat<Inputs: Sequence & Sendable, Element: Sendable>(
    _ inputs: Inputs,
    prefetching count: Int = 0,
    _ list: @escaping @Sendable (Inputs.Element) -> PagedSequence<Element>
) -> PagedSequence<Element> {
    PagedSequence { pin in
        var inputs = inputs.makeIterator()
        var walks: [PageWalk<Element>] = []
        // The list in use is the first; it was read ahead too, unless it is the first of all.
        func open() {
            while walks.count <= max(count, 0), let input = inputs.next() {
                let pages = list(input).pages
                guard !walks.isEmpty else {
                    walks.append(pages.begin(pin))
                    continue
                }
                let ahead = ReadAhead(limit: 1) { pages.begin(pin) }
                ahead.start()
                walks.append(ahead.walk(in: pin))
            }
        }
        return PageWalk(in: pin) { () async throws(RepositoryError) in
            open()
            while let walk = walks.first {
                if let page = try await walk.next() { return page }
                walks.removeFirst()
                open()
            }
            return nil
        }
    }
}

/// The elements of many lists as one: those of the first, then those of the second, and so on.
///
/// ```swift
/// for try await comment in concat([pinned, latest]) { show(comment) }
/// ```
///
/// - Parameters:
///   - lists: The lists.
///   - count: How many of the following lists have their first page read while a list is used; those are then read a page
///     ahead. 0 reads none.
/// - Returns: The elements of all lists.
public func concat<Element: Sendable>(
    _ lists: [PagedSequence<Element>],
    prefetching count: Int = 0
) -> PagedSequence<Element> {
    concat(lists, prefetching: count) { $0 }
}
