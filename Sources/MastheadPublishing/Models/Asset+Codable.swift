import FoundationEssentials

extension Asset: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, caption, title, source, cdnUrl, url, cdnUrlThumb, urlThumb, customMeta, meta
    }

    private enum MetaKeys: String, CodingKey {
        case type, width, height, updated
    }

    /// Reads the wire form.
    ///
    /// - Throws: `DecodingError` when there is no id, or when a field has a type that no server sends.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let meta = try container.members(of: .meta, keyedBy: MetaKeys.self)
        try self.init(
            id: container.decode(ID.self, forKey: .id),
            caption: container.text(.caption, or: .title),
            source: container.text(.source),
            kind: Kind(rawValue: meta?.text(.type) ?? ""),
            cdnURL: container.url(.cdnUrl),
            url: container.url(.url),
            cdnThumbnailURL: container.url(.cdnUrlThumb),
            thumbnailURL: container.url(.urlThumb),
            width: meta?.pixels(.width),
            height: meta?.pixels(.height),
            updated: meta?.update(.updated),
            customMetadata: container.customMetadata(.customMeta)
        )
    }

    /// Writes the wire form, with every key that older readers insist on.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(caption, forKey: .caption)
        if !source.isEmpty { try container.encode(source, forKey: .source) }
        try container.encode(cdnURL?.absoluteString ?? "", forKey: .cdnUrl)
        try container.encode(url?.absoluteString ?? "", forKey: .url)
        try container.encode(cdnThumbnailURL?.absoluteString ?? "", forKey: .cdnUrlThumb)
        try container.encode(thumbnailURL?.absoluteString ?? "", forKey: .urlThumb)
        try container.encode(customMetadata, forKey: .customMeta)
        var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
        try meta.encode(kind.rawValue, forKey: .type)
        try meta.encodeIfPresent(width, forKey: .width)
        try meta.encodeIfPresent(height, forKey: .height)
        try meta.encode(update: updated, forKey: .updated)
    }
}
