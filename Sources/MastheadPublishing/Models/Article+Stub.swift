public import FoundationEssentials

extension Article {
    /// What an issue says about each of its articles: which it is, and when it was last changed.
    ///
    /// ```swift
    /// let changed = issue.articles.filter { $0.updated.map { $0 > lastSync } ?? true }
    /// ```
    public struct Stub: Sendable, Hashable, Identifiable {
        /// The article's id.
        public var id: Article.ID

        /// When the article was last changed; `nil` if unknown, which says nothing about whether it has changed.
        public var updated: Date?

        /// Makes a stub.
        public init(id: Article.ID, updated: Date? = nil) {
            self.id = id
            self.updated = updated
        }
    }
}

extension Article.Stub: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, updated
    }

    /// Reads the wire form, in which `updated` stands beside the id and not in `meta` as in an article.
    ///
    /// - Throws: `DecodingError` when there is no id, or when a field has a type that no server sends.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(id: container.decode(Article.ID.self, forKey: .id), updated: container.update(.updated))
    }

    /// Writes the wire form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if updated != nil { try container.encode(update: updated, forKey: .updated) }
    }
}
