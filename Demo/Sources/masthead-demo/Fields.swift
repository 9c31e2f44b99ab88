import FoundationEssentials
import MastheadPublishing
import Proofreading

// What came, in the manifest's terms.

extension Volume {
    var entry: Manifest.Entry {
        .init(
            id.rawValue,
            [
                "title": title, "subtitle": subtitle, "description": summary, "sku": sku?.rawValue,
                "cover": coverID?.rawValue, "keywords": keywords.joined(separator: ","),
                "customMeta": customMetadata.text, "media": assetIDs.map(\.rawValue).joined(separator: ","),
                "issues": issueIDs.map(\.rawValue).joined(separator: ","), "releaseDate": releaseDate,
                "published": String(isPublished), "publishedDate": publishedDate?.microseconds, "publisher": publisher,
            ]
        )
    }
}

extension Issue {
    var entry: Manifest.Entry {
        .init(
            id.rawValue,
            [
                "title": title, "description": summary, "sku": sku?.rawValue, "cover": coverPhoneID?.rawValue,
                "coverTablet": coverTabletID?.rawValue, "coverTabletLandscape": coverTabletLandscapeID?.rawValue,
                "articles": articles.map { "\($0.id) \($0.updated?.microseconds ?? "")" }.joined(separator: ","),
                "media": assetIDs.map(\.rawValue).joined(separator: ","),
                "volumes": volumeIDs.map(\.rawValue).joined(separator: ","), "customMeta": customMetadata.text,
                "created": created?.microseconds, "published": String(isPublished),
                "publishedDate": publishedDate?.microseconds, "updated": updated?.microseconds,
                "displayDate": displayDate,
            ]
        )
    }
}

extension Article {
    var entry: Manifest.Entry {
        .init(
            id.rawValue,
            [
                "title": title, "slug": slug, "description": summary, "body": body, "authorName": authorName,
                "authorUrl": authorURL?.absoluteString, "authorBio": authorBio,
                "sharingUrl": sharingURL?.absoluteString, "section": section, "type": type, "commentary": commentary,
                "sku": sku?.rawValue, "keywords": keywords.joined(separator: ","),
                "media": assetIDs.map(\.rawValue).joined(separator: ","), "customMeta": customMetadata.text,
                "featured": String(isFeatured), "published": String(isPublished),
                "publishedDate": publishedDate?.microseconds, "updated": updated?.microseconds,
            ]
        )
    }
}

extension Asset {
    var entry: Manifest.Entry {
        .init(
            id.rawValue,
            [
                "caption": caption, "type": kind.rawValue, "cdnUrl": cdnURL?.lastPathComponent,
                "url": url?.lastPathComponent, "cdnUrlThumb": cdnThumbnailURL?.lastPathComponent,
                "urlThumb": thumbnailURL?.lastPathComponent, "width": width.map { String($0) },
                "height": height.map { String($0) }, "customMeta": customMetadata.text,
                "updated": updated?.microseconds,
            ]
        )
    }
}

extension Manifest.Entry {
    fileprivate init(_ id: String, _ fields: [String: String?]) {
        self.init(id: id, fields: fields.mapValues { Manifest.abridged($0 ?? "") })
    }
}

extension Date {
    fileprivate var microseconds: String { String(Int((timeIntervalSince1970 * 1_000_000).rounded())) }
}
