import FoundationEssentials

/// Remembers where an iteration has been, so that no server leads it in a circle: a value, without any I/O.
///
/// It keeps a number for each page, and nothing of what is in it.
struct PageTrail: Sendable {
    /// What a page's content says.
    enum Finding: Sendable, Hashable {
        /// It is new.
        case new

        /// It is that of the page before, or of the first.
        ///
        /// `byID`: because its elements have the same ids; else because its bytes are the same.
        case repeated(byID: Bool)
    }

    /// How many pages in a row may bring nothing new before a server is taken to lead nowhere.
    static let maximumIdlePages = 100

    private struct Content: Sendable, Hashable {
        let bytes: Int
        let ids: Int?
    }

    // Hashes instead of URLs and bodies: they are the server's words, and may be long.
    private var visited: Set<Int> = []
    private var first: Content?
    private var previous: Content?
    private var idlePages = 0

    /// Notes the place of the page that is asked for next.
    ///
    /// - Throws: ``RepositoryError/invalidResponse(reason:)`` if it was there before.
    mutating func visit(_ place: some Hashable) throws(RepositoryError) {
        guard visited.insert(place.hashValue).inserted else {
            throw .invalidResponse(reason: "the server leads to a page of the list that was read already")
        }
    }

    /// Takes in what a page brought.
    ///
    /// - Throws: ``RepositoryError/invalidResponse(reason:)`` if it is one too many that brings nothing new.
    mutating func take<Element>(_ elements: [Element], of body: Data) throws(RepositoryError) -> Finding {
        let content = Content(bytes: Self.hash(of: body), ids: Self.hashOfIDs(elements))
        let earlier = [previous, first].compactMap { $0 }
        let hasSameIDs = content.ids != nil && earlier.contains { $0.ids == content.ids }
        let hasSameBytes = !elements.isEmpty && earlier.contains { $0.bytes == content.bytes }
        first = first ?? content
        previous = content
        let isIdle = elements.isEmpty || hasSameIDs || hasSameBytes
        idlePages = isIdle ? idlePages + 1 : 0
        guard idlePages < Self.maximumIdlePages else {
            throw .invalidResponse(reason: "\(idlePages) pages in a row brought nothing new")
        }
        return hasSameIDs || hasSameBytes ? .repeated(byID: hasSameIDs) : .new
    }

    private static func hash(of body: Data) -> Int {
        var hasher = Hasher()
        // `Data` hashes no more than its beginning.
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// One number for all the ids; `nil` if there are none.
    private static func hashOfIDs<Element>(_ elements: [Element]) -> Int? {
        guard !elements.isEmpty, Element.self is any Identifiable.Type else { return nil }
        var hasher = Hasher()
        for case let element as any Identifiable in elements { combine(element, into: &hasher) }
        return hasher.finalize()
    }

    private static func combine(_ element: some Identifiable, into hasher: inout Hasher) {
        hasher.combine(element.id)
    }
}
