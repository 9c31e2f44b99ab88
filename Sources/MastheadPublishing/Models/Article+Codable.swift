import FoundationEssentials

extension Article: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, sku, title, headline, slug, description, body, authorName, authorUrl, authorBio, sharingUrl, section
        case type, commentary, keywords, media, customMeta, meta
    }

    private enum MetaKeys: String, CodingKey {
        case featured, published, publishedDate, updated
    }

    /// Reads the wire form.
    ///
    /// - Throws: `DecodingError` when there is no id, or when a field has a type that no server sends.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let meta = try container.members(of: .meta, keyedBy: MetaKeys.self)
        try self.init(
            id: container.decode(ID.self, forKey: .id),
            sku: container.sku(.sku),
            title: container.text(.title, or: .headline),
            slug: container.text(.slug),
            summary: container.text(.description),
            body: container.text(.body),
            authorName: container.text(.authorName),
            authorURL: container.url(.authorUrl),
            authorBio: container.text(.authorBio),
            sharingURL: container.url(.sharingUrl),
            section: container.text(.section),
            type: container.text(.type),
            commentary: container.text(.commentary),
            keywords: container.keywords(.keywords),
            assetIDs: container.references(.media),
            customMetadata: container.customMetadata(.customMeta),
            isFeatured: meta?.flag(.featured) ?? false,
            isPublished: meta?.flag(.published) ?? false,
            publishedDate: meta?.date(.publishedDate),
            updated: meta?.update(.updated)
        )
    }

    /// Writes the wire form, with every key that older readers insist on.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(sku?.rawValue ?? "", forKey: .sku)
        try container.encode(title, forKey: .title)
        try container.encode(slug, forKey: .slug)
        try container.encode(summary, forKey: .description)
        try container.encode(body, forKey: .body)
        try container.encode(authorName, forKey: .authorName)
        try container.encode(authorURL?.absoluteString ?? "", forKey: .authorUrl)
        try container.encode(authorBio, forKey: .authorBio)
        try container.encode(sharingURL?.absoluteString ?? "", forKey: .sharingUrl)
        try container.encode(section, forKey: .section)
        try container.encode(type, forKey: .type)
        try container.encode(commentary, forKey: .commentary)
        try container.encode(keywords, forKey: .keywords)
        try container.encode(assetIDs.map(Reference.init), forKey: .media)
        try container.encode(customMetadata, forKey: .customMeta)
        var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
        try meta.encode(isFeatured, forKey: .featured)
        try meta.encode(isPublished, forKey: .published)
        try meta.encode(date: publishedDate, forKey: .publishedDate)
        try meta.encode(update: updated, forKey: .updated)
    }
}
