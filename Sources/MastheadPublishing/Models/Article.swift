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
    public var sku: SKU? {
        get { SKU(column: texts[.sku]) }
        set { texts[.sku] = newValue?.rawValue }
    }

    /// The title; read from the historic `headline` where there is no `title`.
    public var title: String {
        get { texts[.title] ?? "" }
        set { texts[.title] = newValue }
    }

    /// The title as it stands in addresses.
    public var slug: String {
        get { texts[.slug] ?? "" }
        set { texts[.slug] = newValue }
    }

    /// What it is about; `description` on the wire.
    public var summary: String {
        get { texts[.summary] ?? "" }
        set { texts[.summary] = newValue }
    }

    /// The text in HTML, with a comment such as `<!-- [ASSET: id] -->` where an asset belongs; `""` in a stub.
    public var body: String

    /// Who wrote it.
    public var authorName: String {
        get { texts[.authorName] ?? "" }
        set { texts[.authorName] = newValue }
    }

    /// The author's page; `nil` for anything but an absolute `http` or `https` URL.
    public var authorURL: URL? {
        get { URL(column: texts[.authorURL]) }
        set { texts[.authorURL] = newValue?.absoluteString }
    }

    /// What there is to know about the author.
    public var authorBio: String {
        get { texts[.authorBio] ?? "" }
        set { texts[.authorBio] = newValue }
    }

    /// The page to share; `nil` for anything but an absolute `http` or `https` URL.
    public var sharingURL: URL? {
        get { URL(column: texts[.sharingURL]) }
        set { texts[.sharingURL] = newValue?.absoluteString }
    }

    /// The section of the issue it stands in.
    public var section: String {
        get { texts[.section] ?? "" }
        set { texts[.section] = newValue }
    }

    /// The kind of article, in the publisher's own words.
    public var type: String {
        get { texts[.type] ?? "" }
        set { texts[.type] = newValue }
    }

    /// What the editors say to it.
    public var commentary: String {
        get { texts[.commentary] ?? "" }
        set { texts[.commentary] = newValue }
    }

    /// The words to find it by.
    public var keywords: [String] {
        get { texts.keywords }
        set { texts.keywords = newValue }
    }

    /// Its assets in the publisher's order; the first is its thumbnail.
    public var assetIDs: [Asset.ID]

    /// What the publisher says beyond the fixed fields.
    public var customMetadata: CustomMetadata {
        get { texts.metadata }
        set { texts.metadata = newValue }
    }

    /// Whether the publisher puts it forward.
    public var isFeatured: Bool

    /// Whether readers may see it; a draft otherwise.
    public var isPublished: Bool

    /// When it was published; `nil` for a draft.
    public var publishedDate: Date?

    /// When it was last changed; `nil` if unknown, which says nothing about whether it has changed.
    public var updated: Date?

    /// What it says besides the long text; an address is a text until somebody asks for it.
    var texts: ArticleTexts

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
        let texts = [
            sku?.rawValue, title, slug, summary, authorName, authorURL?.absoluteString, authorBio,
            sharingURL?.absoluteString, section, type, commentary,
        ]
        self.texts = ArticleTexts(texts, keywords: keywords, metadata: customMetadata)
        self.body = body
        self.assetIDs = assetIDs
        self.isFeatured = isFeatured
        self.isPublished = isPublished
        self.publishedDate = publishedDate
        self.updated = updated
    }

    /// Whether it has no text, as in lists of servers that send only ids or summaries.
    public var isStub: Bool { body.isEmpty }
}
