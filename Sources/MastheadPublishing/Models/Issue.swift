public import FoundationEssentials

/// One issue of a periodical: what its cover shows and which articles it holds, in order.
///
/// ```swift
/// let issue = try await issues.issue("64a0c0ffee0000000000b001").get()
/// let articles = try await articles.articles(issue.articleIDs).get()
/// ```
///
/// Only ``id`` is sure to be there; see ``Volume`` for what stands for the rest.
public struct Issue: Sendable, Hashable, Identifiable {
    /// The id of an issue.
    public typealias ID = Identifier<Issue>

    /// The id the publisher gave it.
    public var id: ID

    /// What a store sells it as; `nil` if it is not sold.
    public var sku: SKU?

    /// The title.
    public var title: String

    /// What it is about; `description` on the wire.
    public var summary: String

    /// The cover for a phone.
    public var coverPhoneID: Asset.ID?

    /// The cover for a tablet held upright.
    public var coverTabletID: Asset.ID?

    /// The cover for a tablet held sideways.
    public var coverTabletLandscapeID: Asset.ID?

    /// Its articles in reading order, with the time each was last changed.
    public var articles: [Article.Stub]

    /// The assets of the issue itself, not those of its articles, in the publisher's order.
    public var assetIDs: [Asset.ID]

    /// The volumes it belongs to.
    public var volumeIDs: [Volume.ID]

    /// What the publisher says beyond the fixed fields.
    public var customMetadata: CustomMetadata

    /// When it was made.
    public var created: Date?

    /// When it was published; ``date`` falls back to ``created``.
    public var publishedDate: Date?

    /// When it was last changed.
    public var updated: Date?

    /// Whether readers may see it; a draft otherwise.
    public var isPublished: Bool

    /// Its date as the publisher wants it shown: for display only, in any form.
    public var displayDate: String

    /// Makes an issue; what is left out is as if the server had left it out.
    public init(
        id: ID,
        sku: SKU? = nil,
        title: String = "",
        summary: String = "",
        coverPhoneID: Asset.ID? = nil,
        coverTabletID: Asset.ID? = nil,
        coverTabletLandscapeID: Asset.ID? = nil,
        articles: [Article.Stub] = [],
        assetIDs: [Asset.ID] = [],
        volumeIDs: [Volume.ID] = [],
        customMetadata: CustomMetadata = [:],
        created: Date? = nil,
        publishedDate: Date? = nil,
        updated: Date? = nil,
        isPublished: Bool = false,
        displayDate: String = ""
    ) {
        self.id = id
        self.sku = sku
        self.title = title
        self.summary = summary
        self.coverPhoneID = coverPhoneID
        self.coverTabletID = coverTabletID
        self.coverTabletLandscapeID = coverTabletLandscapeID
        self.articles = articles
        self.assetIDs = assetIDs
        self.volumeIDs = volumeIDs
        self.customMetadata = customMetadata
        self.created = created
        self.publishedDate = publishedDate
        self.updated = updated
        self.isPublished = isPublished
        self.displayDate = displayDate
    }
}

extension Issue {
    /// Whether nothing but the id is known, as in lists of servers that send only ids.
    public var isStub: Bool { self == Issue(id: id) }

    /// When it appeared: ``publishedDate``, or ``created`` on servers that do not send that; `nil` if neither is known.
    public var date: Date? { publishedDate ?? created }

    /// The ids of its articles in reading order.
    public var articleIDs: [Article.ID] { articles.map(\.id) }

    /// The place of an article in the issue, the first being 1; `nil` if the issue does not hold it.
    ///
    /// It is the place in ``articles`` and nothing else: never the order in which a server answered a batch.
    public func placement(of article: Article.ID) -> Int? {
        articles.firstIndex { $0.id == article }.map { $0 + 1 }
    }
}
