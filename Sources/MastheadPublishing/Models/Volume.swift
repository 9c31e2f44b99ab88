public import FoundationEssentials

/// A run of issues that a publisher offers together, such as a year of a magazine.
///
/// ```swift
/// let volume = try await volumes.volume("64a0c0ffee0000000000a001").get()
/// show(volume.title, cover: volume.coverID)
/// for id in volume.issueIDs { … }
/// ```
///
/// Only ``id`` is sure to be there. A text the server left out is `""`, as the wire itself says for "none"; a list is
/// empty; a date, an id and a SKU are `nil`. What is there in a form that cannot be meant is a decoding error.
public struct Volume: Sendable, Hashable, Identifiable {
    /// The id of a volume.
    public typealias ID = Identifier<Volume>

    /// The id the publisher gave it.
    public var id: ID

    /// What a store sells it as; `nil` if it is not sold as a whole.
    public var sku: SKU?

    /// The title.
    public var title: String

    /// The subtitle.
    public var subtitle: String

    /// What it is about, in HTML; `description` on the wire.
    public var summary: String

    /// The picture of the cover; `featuredImage` on the wire.
    public var coverID: Asset.ID?

    /// The words to find it by.
    public var keywords: [String]

    /// What the publisher says beyond the fixed fields.
    public var customMetadata: CustomMetadata

    /// Its own assets in the publisher's order.
    public var assetIDs: [Asset.ID]

    /// Its issues in the publisher's order.
    public var issueIDs: [Issue.ID]

    /// When it is said to appear: for display only, in any form.
    public var releaseDate: String

    /// When it was published.
    public var publishedDate: Date?

    /// Whether readers may see it; a draft otherwise.
    public var isPublished: Bool

    /// Who published it; `publishedBy` on the wire.
    public var publisher: String

    /// Makes a volume; what is left out is as if the server had left it out.
    public init(
        id: ID,
        sku: SKU? = nil,
        title: String = "",
        subtitle: String = "",
        summary: String = "",
        coverID: Asset.ID? = nil,
        keywords: [String] = [],
        customMetadata: CustomMetadata = [:],
        assetIDs: [Asset.ID] = [],
        issueIDs: [Issue.ID] = [],
        releaseDate: String = "",
        publishedDate: Date? = nil,
        isPublished: Bool = false,
        publisher: String = ""
    ) {
        self.id = id
        self.sku = sku
        self.title = title
        self.subtitle = subtitle
        self.summary = summary
        self.coverID = coverID
        self.keywords = keywords
        self.customMetadata = customMetadata
        self.assetIDs = assetIDs
        self.issueIDs = issueIDs
        self.releaseDate = releaseDate
        self.publishedDate = publishedDate
        self.isPublished = isPublished
        self.publisher = publisher
    }

    /// Whether nothing but the id is known, as in lists of servers that send only ids.
    public var isStub: Bool { self == Volume(id: id) }
}
