/// The envelope of every catalogue answer: an array under the collection's name, and what follows it.
struct Page<Element: CatalogueElement>: Decodable, Sendable {
    let elements: [Element]
    let next: PageLink

    init(elements: [Element], next: PageLink = .unknown) {
        self.elements = elements
        self.next = next
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EnvelopeKey.self)
        elements = try container.decode([Element].self, forKey: EnvelopeKey(stringValue: Element.collection))
        let pagination = try container.members(of: .meta, keyedBy: EnvelopeKey.self)?
            .members(of: .pagination, keyedBy: EnvelopeKey.self)
        next = try pagination.map { try Self.next(in: $0) } ?? .unknown
    }

    /// Reads `next`: servers write its absence as `null`, `false`, 0 or `""`.
    private static func next(in pagination: KeyedDecodingContainer<EnvelopeKey>) throws -> PageLink {
        if let isThere = try? pagination.flag(.next), !isThere { return .last }
        let text = try pagination.text(.next)
        return text.isEmpty ? .last : .url(text)
    }
}

/// A key of the envelope; which ones there are depends on the collection.
private struct EnvelopeKey: CodingKey {
    static let meta = EnvelopeKey(stringValue: "meta")
    static let pagination = EnvelopeKey(stringValue: "pagination")
    static let next = EnvelopeKey(stringValue: "next")

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
