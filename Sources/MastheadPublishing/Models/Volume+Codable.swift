extension Volume: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, sku, title, subtitle, description, featuredImage, keywords, customMeta, media, issues, meta
    }

    private enum MetaKeys: String, CodingKey {
        case releaseDate, publishedDate, published, publishedBy
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
            title: container.text(.title),
            subtitle: container.text(.subtitle),
            summary: container.text(.description),
            coverID: container.identifier(.featuredImage),
            keywords: container.keywords(.keywords),
            customMetadata: container.customMetadata(.customMeta),
            assetIDs: container.references(.media),
            issueIDs: container.references(.issues),
            releaseDate: meta?.text(.releaseDate) ?? "",
            publishedDate: meta?.date(.publishedDate),
            isPublished: meta?.flag(.published) ?? false,
            publisher: meta?.text(.publishedBy) ?? ""
        )
    }

    /// Writes the wire form, with every key that older readers insist on.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(sku?.rawValue ?? "", forKey: .sku)
        try container.encode(title, forKey: .title)
        try container.encode(subtitle, forKey: .subtitle)
        try container.encode(summary, forKey: .description)
        try container.encode(coverID?.rawValue ?? "", forKey: .featuredImage)
        try container.encode(keywords, forKey: .keywords)
        try container.encode(customMetadata, forKey: .customMeta)
        try container.encode(assetIDs.map(Reference.init), forKey: .media)
        try container.encode(issueIDs.map(Reference.init), forKey: .issues)
        var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
        try meta.encode(releaseDate, forKey: .releaseDate)
        try meta.encode(date: publishedDate, forKey: .publishedDate)
        try meta.encode(isPublished, forKey: .published)
        try meta.encode(publisher, forKey: .publishedBy)
    }
}
