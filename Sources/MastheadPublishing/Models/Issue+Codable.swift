extension Issue: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, sku, title, description, coverPhone, coverTablet, coverTabletLandscape, articles, media, volumes
        case customMeta, meta
    }

    private enum MetaKeys: String, CodingKey {
        case created, publishedDate, updated, published, displayDate
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
            summary: container.text(.description),
            coverPhoneID: container.identifier(.coverPhone),
            coverTabletID: container.identifier(.coverTablet),
            coverTabletLandscapeID: container.identifier(.coverTabletLandscape),
            articles: container.decodeIfPresent([Article.Stub].self, forKey: .articles) ?? [],
            assetIDs: container.references(.media),
            volumeIDs: container.references(.volumes),
            customMetadata: container.customMetadata(.customMeta),
            created: meta?.date(.created),
            publishedDate: meta?.date(.publishedDate),
            updated: meta?.update(.updated),
            isPublished: meta?.flag(.published) ?? false,
            displayDate: meta?.text(.displayDate) ?? ""
        )
    }

    /// Writes the wire form, with every key that older readers insist on.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(sku?.rawValue ?? "", forKey: .sku)
        try container.encode(title, forKey: .title)
        try container.encode(summary, forKey: .description)
        try container.encode(coverPhoneID?.rawValue ?? "", forKey: .coverPhone)
        try container.encode(coverTabletID?.rawValue ?? "", forKey: .coverTablet)
        try container.encode(coverTabletLandscapeID?.rawValue ?? "", forKey: .coverTabletLandscape)
        try container.encode(articles, forKey: .articles)
        try container.encode(assetIDs.map(Reference.init), forKey: .media)
        try container.encode(volumeIDs.map(Reference.init), forKey: .volumes)
        try container.encode(customMetadata, forKey: .customMeta)
        var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
        if created != nil { try meta.encode(date: created, forKey: .created) }
        if publishedDate != nil { try meta.encode(date: publishedDate, forKey: .publishedDate) }
        try meta.encode(update: updated, forKey: .updated)
        try meta.encode(isPublished, forKey: .published)
        try meta.encode(displayDate, forKey: .displayDate)
    }
}
