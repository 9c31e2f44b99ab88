public import FoundationEssentials

/// A picture, a sound, a film or another file that belongs to a volume, an issue or an article.
///
/// ```swift
/// let asset = try await assets.asset("64a0c0ffee0000000000d002").get()
/// let picture = try await assets.data(of: asset).get()
/// ```
///
/// Only ``id`` is sure to be there; see ``Volume`` for what stands for the rest. A URL that is not an absolute `http` or
/// `https` one cannot be fetched and is read as `nil`.
public struct Asset: Sendable, Hashable, Identifiable {
    /// The id of an asset.
    public typealias ID = Identifier<Asset>

    /// The id the publisher gave it.
    public var id: ID

    /// The caption, in HTML; read from the historic `title` where there is no `caption`.
    public var caption: String

    /// Who made it, in HTML; `""` from servers that do not say.
    public var source: String

    /// What it is.
    public var kind: Kind

    /// The file at the publisher's distribution network: the one to take first.
    public var cdnURL: URL? {
        get { cdnAddress.url }
        set { cdnAddress.url = newValue }
    }

    /// The file at the publisher's own host.
    public var url: URL? {
        get { address.url }
        set { address.url = newValue }
    }

    /// The thumbnail at the publisher's distribution network: the one to take first.
    public var cdnThumbnailURL: URL? {
        get { cdnThumbnailAddress.url }
        set { cdnThumbnailAddress.url = newValue }
    }

    /// The thumbnail at the publisher's own host.
    public var thumbnailURL: URL? {
        get { thumbnailAddress.url }
        set { thumbnailAddress.url = newValue }
    }

    /// How wide it is, in pixels.
    public var width: Int?

    /// How high it is, in pixels.
    public var height: Int?

    /// When it was last changed; `nil` if unknown, which says nothing about whether it has changed.
    public var updated: Date?

    /// What the publisher says beyond the fixed fields.
    public var customMetadata: CustomMetadata

    var cdnAddress: AddressText
    var address: AddressText
    var cdnThumbnailAddress: AddressText
    var thumbnailAddress: AddressText

    /// Makes an asset; what is left out is as if the server had left it out.
    public init(
        id: ID,
        caption: String = "",
        source: String = "",
        kind: Kind = .other(""),
        cdnURL: URL? = nil,
        url: URL? = nil,
        cdnThumbnailURL: URL? = nil,
        thumbnailURL: URL? = nil,
        width: Int? = nil,
        height: Int? = nil,
        updated: Date? = nil,
        customMetadata: CustomMetadata = [:]
    ) {
        self.id = id
        self.caption = caption
        self.source = source
        self.kind = kind
        cdnAddress = AddressText(cdnURL)
        address = AddressText(url)
        cdnThumbnailAddress = AddressText(cdnThumbnailURL)
        thumbnailAddress = AddressText(thumbnailURL)
        self.width = width
        self.height = height
        self.updated = updated
        self.customMetadata = customMetadata
    }
}

extension Asset {
    /// Where to fetch the file: ``cdnURL``, or ``url`` where there is none; `nil` if it cannot be fetched.
    public var preferredURL: URL? { cdnURL ?? url }

    /// Where to fetch the thumbnail: ``cdnThumbnailURL``, or ``thumbnailURL``; `nil` if it cannot be fetched.
    public var preferredThumbnailURL: URL? { cdnThumbnailURL ?? thumbnailURL }
}
