public import FoundationEssentials

/// One article, with its text as HTML.
///
/// ```swift
/// let article = try await articles.article("64a0c0ffee0000000000c001").get()
/// let pictures = try await assets.assets(article.assetIDs).get()
/// ```
///
/// Only ``id`` is sure to be there; see ``Volume`` for what stands for the rest.
public struct Article: Sendable, Hashable, Identifiable {
    /// The id of an article.
    public typealias ID = Identifier<Article>

    /// The id the publisher gave it.
    public var id: ID

    /// What a store sells it as; `nil` if it is not sold singly.
    public var sku: SKU?

    /// The title; read from the historic `headline` where there is no `title`.
    public var title: String

    /// The title as it stands in addresses.
    public var slug: String

    /// What it is about; `description` on the wire.
    public var summary: String

    /// The text in HTML, with a comment such as `<!-- [ASSET: id] -->` where an asset belongs; `""` in a stub.
    public var body: String

    /// Who wrote it.
    public var authorName: String

    /// The author's page; `nil` for anything but an absolute `http` or `https` URL.
    public var authorURL: URL? {
        get { authorAddress.url }
        set { authorAddress.url = newValue }
    }

    /// What there is to know about the author.
    public var authorBio: String

    /// The page to share; `nil` for anything but an absolute `http` or `https` URL.
    public var sharingURL: URL? {
        get { sharingAddress.url }
        set { sharingAddress.url = newValue }
    }

    /// The section of the issue it stands in.
    public var section: String

    /// The kind of article, in the publisher's own words.
    public var type: String

    /// What the editors say to it.
    public var commentary: String

    /// The words to find it by.
    public var keywords: [String]

    /// Its assets in the publisher's order; the first is its thumbnail.
    public var assetIDs: [Asset.ID]

    /// What the publisher says beyond the fixed fields.
    public var customMetadata: CustomMetadata

    /// Whether the publisher puts it forward.
    public var isFeatured: Bool

    /// Whether readers may see it; a draft otherwise.
    public var isPublished: Bool

    /// When it was published; `nil` for a draft.
    public var publishedDate: Date?

    /// When it was last changed; `nil` if unknown, which says nothing about whether it has changed.
    public var updated: Date?

    var authorAddress: AddressText
    var sharingAddress: AddressText

    /// Makes an article; what is left out is as if the server had left it out.
    public init(
        id: ID,
        sku: SKU? = nil,
        title: String = "",
        slug: String = "",
        summary: String = "",
        body: String = "",
        authorName: String = "",
        authorURL: URL? = nil,
        authorBio: String = "",
        sharingURL: URL? = nil,
        section: String = "",
        type: String = "",
        commentary: String = "",
        keywords: [String] = [],
        assetIDs: [Asset.ID] = [],
        customMetadata: CustomMetadata = [:],
        isFeatured: Bool = false,
        isPublished: Bool = false,
        publishedDate: Date? = nil,
        updated: Date? = nil
    ) {
        self.id = id
        self.sku = sku
        self.title = title
        self.slug = slug
        self.summary = summary
        self.body = body
        self.authorName = authorName
        authorAddress = AddressText(authorURL)
        self.authorBio = authorBio
        sharingAddress = AddressText(sharingURL)
        self.section = section
        self.type = type
        self.commentary = commentary
        self.keywords = keywords
        self.assetIDs = assetIDs
        self.customMetadata = customMetadata
        self.isFeatured = isFeatured
        self.isPublished = isPublished
        self.publishedDate = publishedDate
        self.updated = updated
    }

    /// Whether it has no text, as in lists of servers that send only ids or summaries.
    public var isStub: Bool { body.isEmpty }
}
